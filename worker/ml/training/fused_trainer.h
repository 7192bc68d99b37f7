#pragma once

#include <memory>
#include <span>
#include <vector>

#include "worker/ml/fused/fused_batch.h"
#include "worker/ml/fused/lazy_adam.h"
#include "worker/ml/training/flat_parameters.h"

namespace roar::ml {

// Trains a model in place on a CPU: lookup, recurrence, attention, loss, their gradients and the optimiser in memory
// that is kept from step to step, without LibTorch's tensors. The slow twin is PlainTrainStep.
class FusedTrainer {
 public:
  // The model's parameters belong to this until its end.
  FusedTrainer(Classifier& model, const EncodedDataset& dataset, const LazyAdam::Options& options);

  // Forward, backward and optimiser on the examples at `indices`; returns the mean cross entropy before the step.
  double Step(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices);

  // To be called before the weights are read from outside: by evaluating, or through weights().
  void BringWeightsUpToDate() { optimizer_.BringAllUpToDate(); }
  // All parameters, one after the other; shares the model's memory.
  const torch::Tensor& weights() const { return parameters_.weights(); }
  FusedClassifier& classifier() { return *classifier_; }

 private:
  // Mean cross entropy of the logits; d_logits_ becomes its gradient.
  double Loss(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices, const float* logits);

  FlatParameters parameters_;
  std::unique_ptr<FusedClassifier> classifier_;
  LazyAdam optimizer_;
  std::int64_t vocabulary_size_, class_count_;
  FusedBatch batch_;
  Buffer d_logits_;
};

}  // namespace roar::ml
