#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/experiment/job_result.h"
#include "worker/ml/model/classifier.h"
#include "worker/ml/training/progress.h"

namespace roar::ml {

// Metrics of the model, in evaluation mode, over the examples in fixed chunks of their order.
// examples_without_maskable_token is left at zero. The loss may be NaN or infinite: the caller's to judge.
absl::StatusOr<SplitMetrics> Evaluate(Classifier& model, const std::vector<EncodedExample>& examples,
                                      std::int64_t class_count, Progress& progress);

}  // namespace roar::ml
