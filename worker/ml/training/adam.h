#pragma once

#include <cstdint>

#include "worker/ml/fused/kernels.h"
#include "worker/ml/training/flat_parameters.h"

namespace roar::ml {

struct AdamOptions {
  double learning_rate = 1e-3;
  // Coupled L2: added to the gradient as weight_decay * weight, where the model says so.
  double weight_decay = 0;
  double beta1 = kAdamBeta1;
  double beta2 = kAdamBeta2;
  double epsilon = 1e-8;
};

// Adam in its AMSGrad form, as torch::optim::Adam computes it (Reddi et al., "On the Convergence of Adam and Beyond"):
// the slow twin of worker/ml/fused/lazy_adam.h.
class Adam {
 public:
  // `parameters` outlive this.
  Adam(const FlatParameters& parameters, const AdamOptions& options);

  // To be called before each backward pass, which adds to the gradients.
  void ClearGradients() { parameters_.gradients().zero_(); }
  void Step();

 private:
  const FlatParameters& parameters_;
  AdamOptions options_;
  torch::Tensor mean_, square_, largest_square_;
  std::int64_t step_ = 0;
};

}  // namespace roar::ml
