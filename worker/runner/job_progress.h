#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "core/schedule/job_state.h"
#include "proto/roar/v1/runner.pb.h"

namespace roar::runner {

// Takes a report; false when nobody listens any more.
using ProgressSink = std::function<bool(const v1::RunnerMessage::Progress&)>;
// Time since an arbitrary start, never going back.
using Clock = std::function<absl::Duration()>;
absl::Duration SteadyNow();

// The progress of one job: reports it, the first of each phase at once and then at most four a second, and sums up the
// time of each phase. Not thread-safe.
class JobProgress {
 public:
  explicit JobProgress(ProgressSink sink, Clock clock = SteadyNow);

  // The time since the call before was spent in `phase`. False when the job may as well end: nobody listens.
  bool Report(schedule::Phase phase, double progress);

  // Up to the last report, by the phases' names. Two phases are shared with the agent, and each counts its own part: of
  // staging, the agent's is `fetching` and the runner's `decoding`; of uploading, the runner's is `writing`.
  const std::map<std::string, double>& SecondsByPhase() const { return seconds_; }

 private:
  ProgressSink sink_;
  Clock clock_;
  absl::Duration counted_until_;
  absl::Duration last_sent_;
  std::optional<schedule::Phase> phase_;
  std::map<std::string, double> seconds_;
  bool listened_to_ = true;
};

}  // namespace roar::runner
