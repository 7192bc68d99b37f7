#include "core/faithfulness/bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/experiment/random_stream.h"

namespace roar::faithfulness {
namespace {

constexpr double kTieTolerance = 1e-12;
constexpr std::size_t kLargestEnumeratedSize = 5;
constexpr std::size_t kRandomResamples = 9999;
constexpr double kLowerTail = 0.025;

double NormalCdf(double z) { return boost::math::cdf(boost::math::normal(), z); }
double NormalQuantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The means of all n^n resamples. `resample` holds the indices drawn, counted up like the digits of a number in base n.
std::vector<double> EveryResampledMean(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<std::size_t> resample(n, 0);
  std::vector<double> means;
  for (;;) {
    double sum = 0;
    for (std::size_t index : resample) sum += values[index];
    means.push_back(sum / static_cast<double>(n));
    std::size_t digit = 0;
    while (digit < n && ++resample[digit] == n) resample[digit++] = 0;
    if (digit == n) return means;
  }
}

std::vector<double> RandomResampledMeans(std::span<const double> values) {
  RandomStream stream(0, "bootstrap");
  std::vector<double> means(kRandomResamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[stream.Below(values.size())];
    mean = sum / static_cast<double>(values.size());
  }
  return means;
}

// z0: how far the observed mean is from the median of the resampled ones. A tie counts half.
double BiasCorrection(std::span<const double> resampled_means, double mean) {
  double below = 0;
  for (double resampled : resampled_means) {
    if (std::abs(resampled - mean) <= kTieTolerance) {
      below += 0.5;
    } else if (resampled < mean) {
      below += 1;
    }
  }
  return NormalQuantile(below / static_cast<double>(resampled_means.size()));
}

// a = 1/6 sum U^3 / (sum U^2)^1.5, where U is the mean of the leave-one-out means less each of them. For the mean this
// is U_i = (value_i - mean) / (n - 1), and the factor 1 / (n - 1) cancels.
double Acceleration(std::span<const double> values, double mean) {
  double squares = 0;
  double cubes = 0;
  for (double value : values) {
    const double difference = value - mean;
    squares += difference * difference;
    cubes += difference * difference * difference;
  }
  return cubes / (6 * std::pow(squares, 1.5));
}

// Linear interpolation between the order statistics.
double Percentile(std::span<const double> sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto lower = static_cast<std::size_t>(position);
  const std::size_t upper = std::min(lower + 1, sorted.size() - 1);
  return std::lerp(sorted[lower], sorted[upper], position - static_cast<double>(lower));
}

absl::Status CheckValues(std::span<const double> values) {
  if (values.empty()) return absl::InvalidArgumentError("no values to take the mean of");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) return absl::InvalidArgumentError(absl::StrCat("value ", i, " is not finite"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MeanInterval> BcaMeanInterval(std::span<const double> values) {
  if (absl::Status status = CheckValues(values); !status.ok()) return status;
  const double mean = Mean(values);
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  if (*largest - *smallest <= kTieTolerance) return MeanInterval{mean, mean, mean, values.size() > 1};

  std::vector<double> resampled_means =
      values.size() <= kLargestEnumeratedSize ? EveryResampledMean(values) : RandomResampledMeans(values);
  const double bias = BiasCorrection(resampled_means, mean);
  const double acceleration = Acceleration(values, mean);
  std::sort(resampled_means.begin(), resampled_means.end());
  const auto end = [&](double tail) {
    const double shifted = bias + NormalQuantile(tail);
    return Percentile(resampled_means, NormalCdf(bias + shifted / (1 - acceleration * shifted)));
  };
  return MeanInterval{mean, end(kLowerTail), end(1 - kLowerTail), true};
}

}  // namespace roar::faithfulness
