#pragma once

#include <span>

#include "absl/status/statusor.h"

namespace roar::faithfulness {

// A mean with its 95 % interval. Without an interval (one value), has_interval is false and both ends equal the mean.
struct MeanInterval {
  double mean = 0;
  double ci_low = 0;
  double ci_high = 0;
  bool has_interval = false;
  bool operator==(const MeanInterval&) const = default;
};

// BCa bootstrap of the mean, as scipy.stats.bootstrap computes it (method-recursive-roar.md section 6). With at most
// five values every resample is enumerated: exact, no generator. Above, 9,999 resamples from the stream
// (0, "bootstrap"). Resampled means are compared with the observed one within 1e-12. One value: no interval. All equal,
// within the same 1e-12: zero width.
// InvalidArgument: no values, or one that is not finite (named by its index).
absl::StatusOr<MeanInterval> BcaMeanInterval(std::span<const double> values);

}  // namespace roar::faithfulness
