#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "worker/ml/model/classifier.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

class Adam;

struct TrainedModel {
  TrainOutcome outcome;
  // With the weights of the kept epoch.
  std::shared_ptr<Classifier> model;
};

// Trains `fresh_model` and measures the kept epoch, the first with the best validation metric. Stops before the last
// epoch only when that metric reached 1, where nothing can replace it. The arguments must have passed the checks.
// Errors: DataLoss when a loss is NaN or infinite, Cancelled.
absl::StatusOr<TrainedModel> TrainModel(const TrainSpec& spec, const EncodedDataset& dataset,
                                        std::shared_ptr<Classifier> fresh_model, const ProgressCallback& callback);

// One step of the plain graph: the slow twin of FusedTrainer::Step. Returns the loss before the step.
double PlainTrainStep(Classifier& model, Adam& optimizer, const Batch& batch);

}  // namespace roar::ml
