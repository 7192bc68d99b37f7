#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "absl/status/statusor.h"

namespace roar::faithfulness {

// Fractions in [0, 1].
struct ClassificationMetrics {
  double accuracy = 0;
  double macro_f1 = 0;
  double micro_f1 = 0;
};

// Scores of predictions against labels, both class indices in [0, class_count).
// Macro F1 is the mean of the F1 of the classes that occur in labels or predictions, as scikit-learn computes it; a
// class in neither does not count. F1 of a class = 2 TP / (2 TP + FP + FN). Micro F1 sums TP, FP and FN over classes.
// InvalidArgument: sizes differ, no example, or a class index outside its range.
absl::StatusOr<ClassificationMetrics> Classify(std::span<const std::int64_t> predictions,
                                               std::span<const std::int64_t> labels, std::int64_t class_count);

// Area under the ROC curve: the share of pairs of a positive and a negative example in which the positive one has the
// higher score, ties counting one half. `probabilities` is row-major, [examples, class_count]. Of two classes the score
// is that of class 1; of more, the value is the unweighted mean of each class against the rest. A class without a
// positive or without a negative example does not count; when none counts the value is undefined and absent, never 0
// or 1/2, so that it cannot enter a mean unnoticed.
// InvalidArgument: sizes do not fit, a label outside [0, class_count), or a probability that is NaN.
absl::StatusOr<std::optional<double>> Auroc(std::span<const double> probabilities, std::span<const std::int64_t> labels,
                                            std::int64_t class_count);

}  // namespace roar::faithfulness
