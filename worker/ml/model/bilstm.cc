#include "worker/ml/model/bilstm.h"

#include <cmath>
#include <vector>

namespace roar::ml {
namespace {

// Rearranges the rows of [time, batch, size] by a permutation that is its own inverse, so the gradient goes the same
// way; LibTorch would scatter and add.
class Reverse : public torch::autograd::Function<Reverse> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& rows,
                               const torch::Tensor& reversal) {
    context->save_for_backward({reversal});
    return Rearrange(rows, reversal);
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    return {Rearrange(gradients[0], context->get_saved_variables()[0]), torch::Tensor()};
  }

 private:
  static torch::Tensor Rearrange(const torch::Tensor& rows, const torch::Tensor& reversal) {
    return rows.flatten(0, 1).index_select(0, reversal).view(rows.sizes());
  }
};

}  // namespace

BilstmImpl::BilstmImpl(std::int64_t input_size, std::int64_t hidden_size) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(hidden_size));
  const auto uniform = [&](std::int64_t rows) {
    return torch::empty({2, rows, 4 * hidden_size}).uniform_(-bound, bound);
  };
  input_weight_ = register_parameter("input_weight", uniform(input_size));
  recurrent_weight_ = register_parameter("recurrent_weight", uniform(hidden_size));
  input_bias_ = register_parameter("input_bias", uniform(1));
  recurrent_bias_ = register_parameter("recurrent_bias", uniform(1));
}

torch::Tensor BilstmImpl::forward(const torch::Tensor& inputs, const torch::Tensor& reversal) {
  const std::int64_t time = inputs.size(0);
  const std::int64_t batch = inputs.size(1);
  const std::int64_t hidden_size = recurrent_weight_.size(1);

  // What the inputs give to the gates, of every step at once.
  const torch::Tensor both = torch::stack({inputs, Reverse::apply(inputs, reversal)}).flatten(1, 2);
  const std::vector<torch::Tensor> from_inputs = torch::baddbmm(input_bias_ + recurrent_bias_, both, input_weight_)
                                                     .view({2, time, batch, 4 * hidden_size})
                                                     .unbind(1);
  torch::Tensor state = torch::zeros({2, batch, hidden_size}, inputs.options());
  torch::Tensor cell = torch::zeros_like(state);
  std::vector<torch::Tensor> states;
  states.reserve(from_inputs.size());
  for (const torch::Tensor& from_input : from_inputs) {
    const auto gates = torch::baddbmm(from_input, state, recurrent_weight_)
                           .unsafe_split_with_sizes({3 * hidden_size, hidden_size}, -1);
    const auto open = gates[0].sigmoid().unsafe_chunk(3, -1);
    cell = torch::addcmul(open[1] * cell, open[0], gates[1].tanh());
    state = open[2] * cell.tanh();
    states.push_back(state);
  }
  const torch::Tensor all = torch::stack(states);  // [time, 2, batch, hidden_size]
  return torch::cat({all.select(1, 0), Reverse::apply(all.select(1, 1), reversal)}, -1);
}

torch::Tensor LastStates(const torch::Tensor& states, const torch::Tensor& lengths) {
  const auto directions = states.chunk(2, -1);
  const torch::Tensor last = (lengths - 1).view({1, -1, 1}).expand({1, -1, directions[0].size(2)});
  return torch::cat({directions[0].gather(0, last).squeeze(0), directions[1].select(0, 0)}, -1);
}

}  // namespace roar::ml
