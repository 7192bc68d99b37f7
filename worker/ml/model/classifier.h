#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/experiment/job_spec.h"
#include "worker/ml/fused/fused_models.h"
#include "worker/ml/model/batch.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

struct ClassifierOutput {
  torch::Tensor logits;     // [batch, class_count]
  torch::Tensor attention;  // [time, batch]; 0 at special tokens and padding, sums to 1 over the others
};

// A model as a plain LibTorch graph, and what training and the importance measures need to know of it. The embedding of
// the first sequence is a step of its own, so that a measure can differentiate with respect to it. On a CPU the work is
// done by its fused form; the graph is its slow twin.
class Classifier : public torch::nn::Module {
 public:
  // The embedded first sequence, [time, batch, embedding_size].
  virtual torch::Tensor Embed(const Batch& batch) = 0;

  // `embeddings` stand for batch.first, which still tells lengths and special tokens.
  virtual ClassifierOutput Classify(const Batch& batch, const torch::Tensor& embeddings) = 0;

  // That Embed looks rows up in, [vocabulary_size, embedding_size].
  virtual torch::Tensor EmbeddingMatrix() = 0;

  // Whether weight decay applies to the parameter.
  virtual bool Decays(const std::string& parameter) const = 0;

  // The same function of the parameters that `find` gives, by their names here.
  virtual std::unique_ptr<FusedClassifier> Fuse(const FindParameter& find) const = 0;
};

struct ClassifierSizes {
  std::int64_t vocabulary_size = 0;
  std::int64_t class_count = 0;
  std::int64_t embedding_size = 0;
  std::int64_t hidden_size = 0;
  // How the words of a fresh model start.
  Embeddings embeddings = Embeddings::kRandom;
};

inline FusedSizes FusedSizesOf(const ClassifierSizes& sizes) {
  return {{sizes.vocabulary_size, sizes.embedding_size, sizes.hidden_size}, sizes.class_count};
}

// A fresh model for the spec and data; the same weights for the same spec.seed. The data must have passed CheckData.
// InvalidArgument: there is no such model for data with (or without) a second sequence.
absl::StatusOr<std::shared_ptr<Classifier>> MakeClassifier(const TrainSpec& spec, const EncodedDataset& dataset);

}  // namespace roar::ml
