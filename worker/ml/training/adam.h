#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace roar::ml {

struct AdamOptions {
  double learning_rate = 1e-3;
  // Coupled L2: added to the gradient as weight_decay * weight.
  double weight_decay = 0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

// Adam in its AMSGrad form, as torch::optim::Adam computes it (Reddi et al., "On the Convergence of Adam and Beyond"),
// over one flat buffer: the parameters and their gradients become views of it, so a step is a handful of operations
// however many parameters there are.
class Adam {
 public:
  // Keeps no reference to the module; its parameters must not be replaced afterwards.
  Adam(torch::nn::Module& module, const AdamOptions& options);

  // To be called before each backward pass, which adds to the gradients.
  void ClearGradients() { gradients_.zero_(); }
  void Step();

  // All parameters in the module's order, one after the other; shares their memory. [parameter count]
  const torch::Tensor& weights() const { return weights_; }

 private:
  AdamOptions options_;
  torch::Tensor weights_, gradients_, mean_, square_, largest_square_;
  std::int64_t step_ = 0;
};

}  // namespace roar::ml
