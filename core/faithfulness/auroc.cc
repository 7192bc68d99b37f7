#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/faithfulness/classification.h"

namespace roar::faithfulness {
namespace {

absl::Status Check(std::span<const double> probabilities, std::span<const std::int64_t> labels,
                   std::int64_t class_count) {
  if (class_count < 1 || probabilities.size() != labels.size() * static_cast<std::size_t>(class_count)) {
    return absl::InvalidArgumentError(absl::StrCat(probabilities.size(), " probabilities for ", labels.size(),
                                                   " labels of ", class_count, " classes"));
  }
  if (std::ranges::any_of(labels, [&](std::int64_t label) { return label < 0 || label >= class_count; })) {
    return absl::InvalidArgumentError(absl::StrCat("a label is not one of the ", class_count, " classes from 0 on"));
  }
  if (std::ranges::any_of(probabilities, [](double probability) { return std::isnan(probability); })) {
    return absl::InvalidArgumentError("a probability is not a number");
  }
  return absl::OkStatus();
}

// Of the class against the rest. Mann and Whitney's U over the number of pairs: from the sum of the positives' ranks,
// where equal scores share the mean of their ranks. Ranks are counted twice, which keeps that mean an integer.
std::optional<double> OneAgainstRest(std::span<const double> probabilities, std::span<const std::int64_t> labels,
                                     std::int64_t class_count, std::int64_t positive) {
  const auto score = [&](std::size_t example) {
    return probabilities[example * static_cast<std::size_t>(class_count) + static_cast<std::size_t>(positive)];
  };
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, score);

  std::int64_t positives = 0;
  std::int64_t doubled_rank_sum = 0;
  for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
    std::int64_t positives_of_tie = 0;
    for (; end < order.size() && score(order[end]) == score(order[first]); ++end) {
      positives_of_tie += labels[order[end]] == positive ? 1 : 0;
    }
    positives += positives_of_tie;
    doubled_rank_sum += positives_of_tie * static_cast<std::int64_t>(first + 1 + end);
  }
  const std::int64_t pairs = positives * (std::ssize(labels) - positives);
  if (pairs == 0) return std::nullopt;
  return static_cast<double>(doubled_rank_sum - positives * (positives + 1)) / static_cast<double>(2 * pairs);
}

}  // namespace

absl::StatusOr<std::optional<double>> Auroc(std::span<const double> probabilities, std::span<const std::int64_t> labels,
                                            std::int64_t class_count) {
  if (absl::Status status = Check(probabilities, labels, class_count); !status.ok()) return status;
  if (class_count == 2) return OneAgainstRest(probabilities, labels, class_count, 1);
  double sum = 0;
  int classes = 0;
  for (std::int64_t positive = 0; positive < class_count; ++positive) {
    const std::optional<double> area = OneAgainstRest(probabilities, labels, class_count, positive);
    if (!area.has_value()) continue;
    sum += *area;
    ++classes;
  }
  if (classes == 0) return std::nullopt;
  return sum / classes;
}

}  // namespace roar::faithfulness
