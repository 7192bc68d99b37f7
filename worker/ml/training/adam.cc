#include "worker/ml/training/adam.h"

#include <cmath>
#include <vector>

namespace roar::ml {

Adam::Adam(torch::nn::Module& module, const AdamOptions& options) : options_(options) {
  const torch::NoGradGuard no_gradient;
  std::vector<torch::Tensor> parameters = module.parameters();
  std::vector<torch::Tensor> flat;
  for (const torch::Tensor& parameter : parameters) flat.push_back(parameter.flatten());
  weights_ = torch::cat(flat);
  gradients_ = torch::zeros_like(weights_);
  mean_ = torch::zeros_like(weights_);
  square_ = torch::zeros_like(weights_);
  largest_square_ = torch::zeros_like(weights_);

  std::int64_t offset = 0;
  for (torch::Tensor& parameter : parameters) {
    parameter.set_data(weights_.narrow(0, offset, parameter.numel()).view(parameter.sizes()));
    parameter.mutable_grad() = gradients_.narrow(0, offset, parameter.numel()).view(parameter.sizes());
    offset += parameter.numel();
  }
}

void Adam::Step() {
  const torch::NoGradGuard no_gradient;
  ++step_;
  const double correction1 = 1 - std::pow(options_.beta1, static_cast<double>(step_));
  const double correction2 = 1 - std::pow(options_.beta2, static_cast<double>(step_));
  gradients_.add_(weights_, options_.weight_decay);
  mean_.mul_(options_.beta1).add_(gradients_, 1 - options_.beta1);
  square_.mul_(options_.beta2).addcmul_(gradients_, gradients_, 1 - options_.beta2);
  torch::maximum_out(largest_square_, largest_square_, square_);
  const torch::Tensor denominator = largest_square_.sqrt().div_(std::sqrt(correction2)).add_(options_.epsilon);
  weights_.addcdiv_(mean_, denominator, -options_.learning_rate / correction1);
}

}  // namespace roar::ml
