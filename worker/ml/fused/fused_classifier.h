#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "worker/ml/fused/fused_encoder.h"

namespace roar::ml {

// Values and gradients of one parameter, float32, as long as the model.
struct ParameterMemory {
  float* values = nullptr;
  float* gradients = nullptr;
};
// By the parameter's name in the plain model.
using FindParameter = std::function<ParameterMemory(const std::string& name)>;

// Texts to classify at once.
struct FusedBatch {
  PackedSequences first;
  // Of pair tasks; each may serve several of `first` (an explanation reads one text at many scales).
  PackedSequences second;
  // By sequence of `first`, its index in `second`. Empty for one-sequence models.
  std::vector<std::int32_t> second_of;
};

// An embedding matrix, by its parameter's name, and the sequences whose rows of it a batch reads.
struct EmbeddingUse {
  std::string parameter;
  const PackedSequences* sequences;
};

struct EmbeddingGradient {
  std::string parameter;
  SparseRows rows;
};

// A classifier computed without LibTorch: the same function of the same parameters as the plain graph in
// worker/ml/model, and its gradients, to rounding (tests/ml/fused_test.cc). Several times faster on a CPU; the plain
// graph is the slow twin. Pointers that a method returns are good until the next call. Not thread-safe.
class FusedClassifier {
 public:
  virtual ~FusedClassifier() = default;

  virtual std::vector<EmbeddingUse> EmbeddingsOf(const FusedBatch& batch) const = 0;
  // Logits, [first.count, class_count]. The batch outlives the calls that follow.
  virtual const float* Forward(const FusedBatch& batch) = 0;
  // After Forward, by position of `first`: the attention weights; 0 at special tokens.
  virtual const float* attention() const = 0;
  // After Forward: the gradients, up to those of the gates of `first_encoder`, which then tells those of its input.
  // d_logits: [first.count, class_count].
  virtual void Backward(const float* d_logits) = 0;
  virtual FusedEncoder& first_encoder() = 0;
  // After Backward, when every second sequence serves one first: the gradients of all weights. Those of embeddings are
  // returned; the others replace what is in their memory.
  virtual std::vector<EmbeddingGradient> WeightGradients() = 0;
};

}  // namespace roar::ml
