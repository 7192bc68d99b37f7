#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "core/experiment/job_spec.h"
#include "worker/ml/model/batch.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

struct ClassifierOutput {
  torch::Tensor logits;     // [batch, class_count]
  torch::Tensor attention;  // [time, batch]; 0 at special tokens and padding, sums to 1 over the others
};

// What training and the importance measures need of a model. The embedding of the first sequence is a step of its own,
// so that a measure can differentiate with respect to it.
class Classifier : public torch::nn::Module {
 public:
  // The embedded first sequence, [time, batch, embedding_size].
  virtual torch::Tensor Embed(const Batch& batch) = 0;

  // `embeddings` stand for batch.first, which still tells lengths and special tokens.
  virtual ClassifierOutput Classify(const Batch& batch, const torch::Tensor& embeddings) = 0;

  // That Embed looks rows up in, [vocabulary_size, embedding_size].
  virtual torch::Tensor EmbeddingMatrix() = 0;
};

struct ClassifierSizes {
  std::int64_t vocabulary_size = 0;
  std::int64_t class_count = 0;
  std::int64_t embedding_size = 0;
  std::int64_t hidden_size = 0;
};

// A fresh model for the spec and data; the same weights for the same spec.seed. The data must have passed CheckData.
// InvalidArgument: there is no such model for data with (or without) a second sequence.
absl::StatusOr<std::shared_ptr<Classifier>> MakeClassifier(const TrainSpec& spec, const EncodedDataset& dataset);

}  // namespace roar::ml
