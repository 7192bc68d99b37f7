#pragma once

#include <span>

#include "absl/status/statusor.h"

// Area between a measure's curve and the random baseline's (ACU), and the same relative to the area between the random
// baseline and the performance at 100 % masked (RACU). Madsen et al., arXiv 2110.08412, section 5;
// method-recursive-roar.md section 6.

namespace roar::faithfulness {

struct PerformanceCurves {
  // Masking ratios x_0 < ... < x_I in [0, 1], from 0 to 1.
  std::span<const double> ratios;
  // Test performance of the measure and of random masking at each ratio, of the same seed, in [0, 1].
  std::span<const double> measure;
  std::span<const double> random;
};

// sum over i<I of 1/2 (x_{i+1} - x_i) (d_i + d_{i+1}), d_i = random_i - measure_i.
// InvalidArgument: sizes differ, fewer than two points, ratios not increasing from 0 to 1, a value not finite.
absl::StatusOr<double> Acu(const PerformanceCurves& curves);

// ACU / (the same sum with d_i = random_i - random_I), clipped to [-1, 1] unless `clip` is false.
// FailedPrecondition: the denominator is at most kSmallestRandomArea. At 0 random masking changed nothing, so there is
// nothing to compare with; below 0 the quotient's sign would call the worst measure the best.
inline constexpr double kSmallestRandomArea = 1e-9;
absl::StatusOr<double> Racu(const PerformanceCurves& curves, bool clip = true);

}  // namespace roar::faithfulness
