#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "worker/ml/fused/fused_classifier.h"
#include "worker/ml/fused/kernels.h"

namespace roar::ml {

// One parameter in the flat memory of all of them.
struct FlatParameter {
  std::string name;
  std::int64_t offset = 0;
  std::int64_t rows = 1;
  std::int64_t row_size = 0;
  bool is_embedding = false;  // its rows are updated when they are needed
  bool decays = true;
};

// Adam in its AMSGrad form with coupled weight decay, as worker/ml/training/adam.h. A row of an embedding matrix
// without a gradient still decays and moves on with its mean at every step; those steps are kept until the row is next
// read and then made one after the other in registers: the same arithmetic, a fraction of the memory traffic.
class LazyAdam {
 public:
  struct Options {
    double learning_rate = 1e-3;
    double weight_decay = 0;
  };

  // weights, gradients: flat, as the parameters say; they outlive this.
  LazyAdam(std::span<const FlatParameter> parameters, float* weights, const float* gradients, const Options& options);

  // Makes up the steps of these rows of an embedding matrix; before they are read.
  void BringUpToDate(const std::string& embedding, std::span<const std::int32_t> rows);
  // Of all rows: before the weights as a whole are read.
  void BringAllUpToDate();
  // One step. The rows must be up to date.
  void Step(std::span<const EmbeddingGradient> embeddings);

 private:
  struct Parameter {
    FlatParameter place;
    std::vector<std::int64_t> steps_made;  // by row; of embedding matrices only
  };

  Parameter& Find(const std::string& name);
  void Update(const Parameter& parameter, std::int64_t row, std::span<const AdamStep> steps, const float* gradient);
  void BringRowUpToDate(Parameter& parameter, std::int64_t row);

  Options options_;
  const Kernels& kernels_ = BestKernels();
  std::vector<Parameter> parameters_;
  float* weights_;
  const float* gradients_;
  std::vector<float> mean_, square_, largest_square_;
  std::vector<AdamStep> steps_;  // every step so far
};

}  // namespace roar::ml
