#pragma once

#include <cstdint>

#include "worker/ml/fused/fused_linear.h"
#include "worker/ml/fused/packed_sequences.h"

namespace roar::ml {

// Additive attention over the maskable tokens of each sequence:
//   score_t = w' tanh(W h_t + b + query)   alpha = softmax   context = sum alpha_t h_t
// Without a maskable token alpha and context are zero. Not thread-safe; memory is kept between calls.
class FusedAttention {
 public:
  struct Memory {
    LinearMemory states;     // W [hidden_size, 2 * hidden_size], b
    float* score = nullptr;  // w [hidden_size]
  };

  FusedAttention(std::int64_t hidden_size, const Memory& weights, const Memory& gradients)
      : hidden_size_(hidden_size),
        layer_(2 * hidden_size, hidden_size, weights.states, gradients.states),
        score_(weights.score),
        d_score_weight_(gradients.score) {}

  // states: [token_count, 2 * hidden_size]. query: [count, hidden_size], or null for none. context: [count,
  // 2 * hidden_size]. All of them, and `sequences`, outlive Backward.
  void Forward(const PackedSequences& sequences, const float* states, const float* query, float* context);
  // alpha, [token_count], by position.
  const float* weights() const { return alpha_.data(); }

  // d_states: replaced. d_query: [count, hidden_size], replaced, or null when there is none.
  void Backward(const float* d_context, float* d_states, float* d_query);
  // After Backward: replaces the gradients of the weights.
  void WeightGradients();

 private:
  void AddQuery(const float* query);
  // Turns the gradients of alpha, at `first`.. of one sequence, into those of its scores.
  void SoftmaxBackward(std::int64_t first, std::int64_t length, float* d_alpha) const;

  std::int64_t hidden_size_;
  FusedLinear layer_;
  const float* score_;
  float* d_score_weight_;
  const Kernels& kernels_ = BestKernels();
  const PackedSequences* sequences_ = nullptr;
  const float* states_ = nullptr;
  Buffer hidden_;    // [token_count, hidden_size]: tanh(.)
  Buffer alpha_;     // [token_count]
  Buffer d_score_;   // [token_count]
  Buffer d_hidden_;  // [token_count, hidden_size], before the tanh
};

}  // namespace roar::ml
