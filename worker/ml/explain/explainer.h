#pragma once

#include "absl/status/statusor.h"
#include "worker/ml/model/classifier.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

// The scores of the shard's examples under the model. InvalidArgument: the measure has no row in the table, because it
// needs no model; no such shard. Cancelled.
absl::StatusOr<Scores> ExplainWith(Classifier& model, const EncodedDataset& dataset, const ExplainRequest& request,
                                   const ProgressCallback& callback);

}  // namespace roar::ml
