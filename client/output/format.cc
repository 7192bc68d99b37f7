#include "client/output/format.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"

namespace roar::output {

std::string Percent(double fraction) {
  const std::string text = absl::StrFormat("%.1f", 100 * fraction);
  return text == "-0.0" ? "0.0" : text;
}

std::string PercentWithInterval(const v1::MeanInterval& interval) {
  if (!interval.has_interval()) return Percent(interval.mean());
  return absl::StrCat(Percent(interval.mean()), " [", Percent(interval.ci_low()), ", ", Percent(interval.ci_high()),
                      "]");
}

std::string Duration(double seconds) {
  const auto rounded = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
  if (rounded < 60) return absl::StrCat(rounded, " s");
  const std::int64_t minutes = (rounded + 30) / 60;
  if (minutes < 60) return absl::StrCat(minutes, " min");
  return absl::StrCat(minutes / 60, " h ", minutes % 60, " min");
}

std::string FileSize(std::int64_t bytes) {
  constexpr double kKilobyte = 1e3, kMegabyte = 1e6, kGigabyte = 1e9;
  const auto size = static_cast<double>(bytes);
  if (size < kMegabyte) return absl::StrFormat("%.1f KB", size / kKilobyte);
  return size < kGigabyte ? absl::StrFormat("%.1f MB", size / kMegabyte) : absl::StrFormat("%.1f GB", size / kGigabyte);
}

std::string UtcTime(std::int64_t unix_seconds) {
  if (unix_seconds == 0) return "-";
  return absl::FormatTime("%Y-%m-%d %H:%M:%SZ", absl::FromUnixSeconds(unix_seconds), absl::UTCTimeZone());
}

std::string SweepStateName(v1::SweepState state) {
  switch (state) {
    case v1::SWEEP_STATE_RUNNING:
      return "running";
    case v1::SWEEP_STATE_SUCCEEDED:
      return "succeeded";
    case v1::SWEEP_STATE_FAILED:
      return "failed";
    case v1::SWEEP_STATE_CANCELED:
      return "canceled";
    default:
      return "unknown";
  }
}

bool LacksWorker(const v1::SweepInfo& sweep) {
  const bool is_held = sweep.jobs().leased() + sweep.jobs().running() > 0;
  return sweep.state() == v1::SWEEP_STATE_RUNNING && sweep.workers() == 0 && !is_held;
}

std::int64_t JobsDone(const v1::JobCounts& jobs) { return jobs.succeeded() + jobs.cached(); }

std::int64_t JobsTotal(const v1::JobCounts& jobs) {
  return JobsDone(jobs) + jobs.failed() + jobs.canceled() + jobs.aborted() + jobs.pending() + jobs.ready() +
         jobs.leased() + jobs.running();
}

}  // namespace roar::output
