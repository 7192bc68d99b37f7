#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace roar::ml {

// A one-layer bidirectional LSTM over padded sequences; each direction reads the real length only, so a result does not
// depend on the padding. Equal to torch::nn::LSTM (bidirectional, packed sequences), whose backward pass on a CPU takes
// four times as long: here both directions advance in the same call of each operation, the backward direction on
// sequences reversed by their own length.
class BilstmImpl : public torch::nn::Module {
 public:
  // Every weight starts uniform in +-1/sqrt(hidden_size), from LibTorch's global generator.
  BilstmImpl(std::int64_t input_size, std::int64_t hidden_size);

  // inputs: [time, batch, input_size]; reversal: int64 [time * batch], as PaddedSequences::reversal. Returns the states
  // of both directions at every position, [time, batch, 2 * hidden_size], forward first; unspecified at padding.
  torch::Tensor forward(const torch::Tensor& inputs, const torch::Tensor& reversal);

 private:
  // Of both directions, forward first. Columns are the gates in the order input, forget, output, cell.
  torch::Tensor input_weight_;      // [2, input_size, 4 * hidden_size]
  torch::Tensor recurrent_weight_;  // [2, hidden_size, 4 * hidden_size]
  torch::Tensor input_bias_;        // [2, 1, 4 * hidden_size]
  torch::Tensor recurrent_bias_;    // [2, 1, 4 * hidden_size]
};
TORCH_MODULE(Bilstm);

// The state of each direction after its last step: forward at the last real position, backward at the first.
// states: [time, batch, 2 * hidden_size]; lengths: int64 [batch]. Returns [batch, 2 * hidden_size].
torch::Tensor LastStates(const torch::Tensor& states, const torch::Tensor& lengths);

}  // namespace roar::ml
