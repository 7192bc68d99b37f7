#include "worker/ml/training/adam.h"

#include <cmath>

namespace roar::ml {

Adam::Adam(const FlatParameters& parameters, const AdamOptions& options)
    : parameters_(parameters),
      options_(options),
      mean_(torch::zeros_like(parameters.weights())),
      square_(torch::zeros_like(parameters.weights())),
      largest_square_(torch::zeros_like(parameters.weights())) {}

void Adam::Step() {
  const torch::NoGradGuard no_gradient;
  const torch::Tensor& weights = parameters_.weights();
  const torch::Tensor& gradients = parameters_.gradients();
  ++step_;
  const double correction1 = 1 - std::pow(options_.beta1, static_cast<double>(step_));
  const double correction2 = 1 - std::pow(options_.beta2, static_cast<double>(step_));
  for (const FlatParameter& place : parameters_.places()) {
    if (!place.decays) continue;
    const std::int64_t size = place.rows * place.row_size;
    gradients.narrow(0, place.offset, size).add_(weights.narrow(0, place.offset, size), options_.weight_decay);
  }
  mean_.mul_(options_.beta1).add_(gradients, 1 - options_.beta1);
  square_.mul_(options_.beta2).addcmul_(gradients, gradients, 1 - options_.beta2);
  torch::maximum_out(largest_square_, largest_square_, square_);
  const torch::Tensor denominator = largest_square_.sqrt().div_(std::sqrt(correction2)).add_(options_.epsilon);
  weights.addcdiv_(mean_, denominator, -options_.learning_rate / correction1);
}

}  // namespace roar::ml
