#pragma once

#include <cstdint>
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

}  // namespace roar::faithfulness
