#include "worker/ml/training/fused_trainer.h"

#include "worker/ml/training/softmax.h"

namespace roar::ml {

FusedTrainer::FusedTrainer(Classifier& model, const EncodedDataset& dataset, const LazyAdam::Options& options)
    : parameters_(model),
      classifier_(model.Fuse(parameters_.Find())),
      optimizer_(parameters_.places(), parameters_.weights().data_ptr<float>(),
                 parameters_.gradients().data_ptr<float>(), options),
      vocabulary_size_(dataset.vocabulary_size),
      class_count_(dataset.class_count) {}

double FusedTrainer::Step(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices) {
  PackBatch(examples, indices, vocabulary_size_, batch_);
  for (const auto& [parameter, sequences] : classifier_->EmbeddingsOf(batch_)) {
    optimizer_.BringUpToDate(parameter, sequences->distinct_tokens());
  }
  const double loss = Loss(examples, indices, classifier_->Forward(batch_));
  classifier_->Backward(d_logits_.data());
  optimizer_.Step(classifier_->WeightGradients());
  return loss;
}

double FusedTrainer::Loss(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
                          const float* logits) {
  const auto count = std::ssize(indices);
  const auto classes = static_cast<std::size_t>(class_count_);
  float* d_row = d_logits_.Take(count * class_count_);
  std::vector<double> probabilities(classes);
  double sum = 0;
  for (const std::int64_t index : indices) {
    const std::int32_t label = examples[index].label;
    sum += SoftmaxLoss({logits, classes}, label, probabilities);
    for (std::size_t c = 0; c < classes; ++c) {
      const double target = static_cast<std::int32_t>(c) == label ? 1 : 0;
      d_row[c] = static_cast<float>((probabilities[c] - target) / static_cast<double>(count));
    }
    logits += classes;
    d_row += classes;
  }
  return sum / static_cast<double>(count);
}

}  // namespace roar::ml
