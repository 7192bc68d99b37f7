#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/schedule/change.h"
#include "core/schedule/decision.h"
#include "core/schedule/event.h"
#include "core/schedule/state.h"

// What follows from each event: functions of a state and a moment that change nothing. Errors as Scheduler::Decide.

namespace roar::schedule {

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const SubmitSweep& event, Instant now);
absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const CancelSweep& event, Instant now);
absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const RetrySweep& event, Instant now);
absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const Synchronize& event, Instant now);
absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const ImportResult& event, Instant now);
absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const Tick& event, Instant now);

// Judges what a worker says of a job it ended: the part of Synchronize that results come by. The worker's leases of
// earlier incarnations have ended already.
void JudgeFinished(Decision& decision, const std::string& worker, const FinishedReport& report);

}  // namespace roar::schedule
