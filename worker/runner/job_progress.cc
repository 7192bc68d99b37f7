#include "worker/runner/job_progress.h"

#include <chrono>
#include <utility>

namespace roar::runner {
namespace {

constexpr absl::Duration kReportInterval = absl::Milliseconds(250);

std::string NameOfTime(schedule::Phase phase) {
  switch (phase) {
    case schedule::Phase::kStaging:
      return "decoding";
    case schedule::Phase::kUploading:
      return "writing";
    default:
      return std::string(Name(phase));
  }
}

}  // namespace

absl::Duration SteadyNow() { return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch()); }

JobProgress::JobProgress(ProgressSink sink, Clock clock)
    : sink_(std::move(sink)), clock_(std::move(clock)), counted_until_(clock_()) {}

bool JobProgress::Report(schedule::Phase phase, double progress) {
  const absl::Duration now = clock_();
  seconds_[NameOfTime(phase)] += absl::ToDoubleSeconds(now - std::exchange(counted_until_, now));
  const bool due = phase_ != phase || now - last_sent_ >= kReportInterval;
  if (!due || !listened_to_) return listened_to_;
  phase_ = phase;
  last_sent_ = now;
  v1::RunnerMessage::Progress report;
  report.set_phase(std::string(Name(phase)));
  report.set_progress(progress);
  return listened_to_ = sink_(report);
}

}  // namespace roar::runner
