#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/experiment/job_result.h"
#include "worker/ml/fused/fused_classifier.h"
#include "worker/ml/training/progress.h"

namespace roar::ml {

// Metrics of the model over the examples, which are classified in chunks of about the same length.
// examples_without_maskable_token is left at zero. The loss may be NaN or infinite, the caller's to judge;
// probabilities are then not looked at and there is no AUROC.
absl::StatusOr<SplitMetrics> Evaluate(FusedClassifier& classifier, const EncodedDataset& dataset, Split split,
                                      Progress& progress);

}  // namespace roar::ml
