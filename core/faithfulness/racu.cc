#include "core/faithfulness/racu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace roar::faithfulness {
namespace {

absl::Status CheckRatios(std::span<const double> ratios) {
  if (ratios.size() < 2) return absl::InvalidArgumentError("a curve needs at least two masking ratios");
  if (ratios.front() != 0 || ratios.back() != 1) {
    return absl::InvalidArgumentError("the masking ratios of a curve must go from 0 to 1");
  }
  for (std::size_t i = 1; i < ratios.size(); ++i) {
    if (!(ratios[i - 1] < ratios[i])) {
      return absl::InvalidArgumentError(absl::StrCat("the masking ratio at index ", i, " does not increase"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFinite(std::span<const double> performance, const char* curve) {
  for (std::size_t i = 0; i < performance.size(); ++i) {
    if (!std::isfinite(performance[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("the performance of the ", curve, " curve at index ", i, " is not finite"));
    }
  }
  return absl::OkStatus();
}

absl::Status Check(const PerformanceCurves& curves) {
  if (curves.measure.size() != curves.ratios.size() || curves.random.size() != curves.ratios.size()) {
    return absl::InvalidArgumentError(absl::StrCat(curves.ratios.size(), " masking ratios, but ", curves.measure.size(),
                                                   " points of the measure and ", curves.random.size(), " of random"));
  }
  if (absl::Status status = CheckRatios(curves.ratios); !status.ok()) return status;
  if (absl::Status status = CheckFinite(curves.measure, "measure's"); !status.ok()) return status;
  return CheckFinite(curves.random, "random");
}

// The trapezoid rule over random_i - floor(i).
template <typename Floor>
double AreaBelowRandom(const PerformanceCurves& curves, Floor floor) {
  double area = 0;
  for (std::size_t i = 0; i + 1 < curves.ratios.size(); ++i) {
    const double left = curves.random[i] - floor(i);
    const double right = curves.random[i + 1] - floor(i + 1);
    area += (curves.ratios[i + 1] - curves.ratios[i]) * (left + right) / 2;
  }
  return area;
}

}  // namespace

absl::StatusOr<double> Acu(const PerformanceCurves& curves) {
  if (absl::Status status = Check(curves); !status.ok()) return status;
  return AreaBelowRandom(curves, [&](std::size_t i) { return curves.measure[i]; });
}

absl::StatusOr<double> Racu(const PerformanceCurves& curves, bool clip) {
  const absl::StatusOr<double> acu = Acu(curves);
  if (!acu.ok()) return acu;
  const double random_area = AreaBelowRandom(curves, [&](std::size_t) { return curves.random.back(); });
  if (random_area <= kSmallestRandomArea) {
    return absl::FailedPreconditionError(
        absl::StrCat("RACU is undefined: random masking does not lie above the model at 100 % masked (area ",
                     random_area, "); has the unmasked model learned the task?"));
  }
  const double racu = *acu / random_area;
  return clip ? std::clamp(racu, -1.0, 1.0) : racu;
}

}  // namespace roar::faithfulness
