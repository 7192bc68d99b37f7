#pragma once

#include <cstdint>

#include "worker/ml/fused/kernels.h"
#include "worker/ml/fused/matrix.h"
#include "worker/ml/fused/packed_sequences.h"

namespace roar::ml {

// Where weights live, or their gradients go; laid out as in worker/ml/model/bilstm.h.
struct BilstmMemory {
  float* input = nullptr;           // [2, input_size, 4 * hidden_size]
  float* recurrent = nullptr;       // [2, hidden_size, 4 * hidden_size]
  float* input_bias = nullptr;      // [2, 4 * hidden_size]
  float* recurrent_bias = nullptr;  // [2, 4 * hidden_size]
};

struct EncoderShape {
  std::int64_t vocabulary_size = 0;
  std::int64_t embedding_size = 0;
  std::int64_t hidden_size = 0;
};

// The gradient of an embedding matrix, of the rows that are not zero.
struct SparseRows {
  std::span<const std::int32_t> rows;
  const float* gradients = nullptr;  // [rows, embedding_size]
};

// Embedding and bidirectional LSTM over packed sequences; what worker/ml/model/bilstm.h computes, by hand. What the
// inputs give to the gates is linear in the embedding, so it is computed once per different token of the batch, not
// once per position, and a scaled sequence needs no product of its own. Not thread-safe; memory is kept between calls.
class FusedEncoder {
 public:
  // The memory outlives this; `gradients` is unused unless Backward computes those of weights.
  FusedEncoder(const EncoderShape& shape, float* embedding, const BilstmMemory& weights, const BilstmMemory& gradients);

  const EncoderShape& shape() const { return shape_; }

  // The states of both directions at every position, [token_count, 2 * hidden_size], forward first; good until the next
  // call. `sequences` outlive the calls that follow.
  const float* Forward(const PackedSequences& sequences);
  // Of each sequence the state of each direction after its last step, [count, 2 * hidden_size].
  void LastStates(float* last) const;

  // After Forward: the gradients of the gates from those of the states, laid out as Forward returned them.
  void Backward(const float* d_states);
  // After Backward: replaces the gradients of the weights, and returns those of the embedding (none for [PAD]).
  SparseRows WeightGradients();

  // After Backward, by position: the gradient with respect to the embedding as the LSTM read it, that is scaled.
  // gradients: [token_count, embedding_size].
  void InputGradients(float* gradients);
  // The same gradient times the unscaled embedding. dots: [token_count].
  void InputGradientDots(float* dots) const;

 private:
  std::int64_t gate_size() const { return 4 * shape_.hidden_size; }
  // Of a direction: [2, ...] in one buffer.
  float* Gates(int direction) { return gates_.data() + direction * sequences_->token_count() * gate_size(); }
  const float* Gates(int direction) const { return const_cast<FusedEncoder*>(this)->Gates(direction); }
  float* States(Buffer& buffer, int direction) {
    return buffer.data() + direction * sequences_->token_count() * shape_.hidden_size;
  }
  const float* Projection(int direction) const {
    return projections_.data() + direction * std::ssize(sequences_->distinct_tokens()) * gate_size();
  }

  void Project();
  void RunForward(int direction);
  void RunBackward(int direction, const float* d_states);
  void SumByToken(int direction);
  template <typename Visit>
  void OverRows(int direction, Visit visit) const;

  EncoderShape shape_;
  const float* embedding_;
  BilstmMemory weights_, gradients_;
  const Kernels& kernels_ = BestKernels();
  const PackedSequences* sequences_ = nullptr;

  Buffer distinct_embeddings_;  // [distinct, embedding_size]
  Buffer projections_;          // [2, distinct, 4 * hidden_size]: embedding times input weight
  Buffer bias_;                 // [4 * hidden_size]
  // By row: [2, rows, ...]
  Buffer gates_;  // activated by Forward; by Backward the gradient before the activation
  Buffer cells_, states_;
  Buffer previous_states_;  // the state of the step before; zero at step 0
  Buffer by_position_;      // [token_count, 2 * hidden_size]
  Buffer carried_state_, d_cell_, d_rows_;
  Buffer by_token_;      // [distinct, 4 * hidden_size]: gate gradients summed over a token's rows
  Buffer d_embeddings_;  // [distinct, embedding_size]
};

}  // namespace roar::ml
