#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "worker/ml/fused/lazy_adam.h"
#include "worker/ml/model/classifier.h"

namespace roar::ml {

// The parameters of a model in one piece of memory, and their gradients in another: the model's parameters and their
// gradients become views of them, so that an optimiser's step, a copy of all weights or their reset is one operation.
class FlatParameters {
 public:
  // Keeps no reference to the model, whose parameters must not be replaced afterwards.
  explicit FlatParameters(Classifier& model);

  const torch::Tensor& weights() const { return weights_; }      // [parameter count]
  const torch::Tensor& gradients() const { return gradients_; }  // [parameter count]
  // In the model's order. Embedding matrices have rows.
  const std::vector<FlatParameter>& places() const { return places_; }
  // For Classifier::Fuse; valid as long as this. Unknown names are an error of the program.
  FindParameter Find() const;

 private:
  torch::Tensor weights_, gradients_;
  std::vector<FlatParameter> places_;
};

}  // namespace roar::ml
