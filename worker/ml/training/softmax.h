#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace roar::ml {

// The probabilities of one example's logits, and its cross entropy in nats, in double precision. The loss is
// NaN or infinite where the logits say nothing finite about the label.
inline double SoftmaxLoss(std::span<const float> logits, std::int32_t label, std::span<double> probabilities) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double total = 0;
  for (std::size_t c = 0; c < logits.size(); ++c) total += probabilities[c] = std::exp(logits[c] - largest);
  for (double& probability : probabilities) probability /= total;
  return std::log(total) - (logits[static_cast<std::size_t>(label)] - largest);
}

}  // namespace roar::ml
