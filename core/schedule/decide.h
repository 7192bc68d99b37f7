#pragma once

#include <cstdint>
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

// Splits what is worth it over the slots that would stay idle though every READY job had one: `free` are all that may
// take a job.
void SplitForIdleSlots(Decision& decision, std::int64_t free);

}  // namespace roar::schedule
