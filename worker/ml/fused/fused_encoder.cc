#include "worker/ml/fused/fused_encoder.h"

#include <algorithm>

#include "worker/ml/fused/fused_linear.h"

namespace roar::ml {

FusedEncoder::FusedEncoder(const EncoderShape& shape, float* embedding, const BilstmMemory& weights,
                           const BilstmMemory& gradients)
    : shape_(shape), embedding_(embedding), weights_(weights), gradients_(gradients) {}

// visit(row, position, sequence), by row.
template <typename Visit>
void FusedEncoder::OverRows(int direction, Visit visit) const {
  for (std::int64_t step = 0; step < sequences_->steps(); ++step) {
    const std::int64_t first = sequences_->first_row(step);
    for (std::int64_t b = 0; b < sequences_->active(step); ++b) {
      visit(first + b, sequences_->PositionOf(direction, step, b), sequences_->by_length(b));
    }
  }
}

void FusedEncoder::Project() {
  const auto tokens = sequences_->distinct_tokens();
  const std::int64_t size = shape_.embedding_size;
  float* const rows = distinct_embeddings_.Take(std::ssize(tokens) * size);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::copy_n(embedding_ + tokens[i] * size, size, rows + static_cast<std::int64_t>(i) * size);
  }
  float* const out = projections_.Take(2 * std::ssize(tokens) * gate_size());
  for (int direction = 0; direction < 2; ++direction) {
    Multiply({std::ssize(tokens), gate_size(), size}, rows, weights_.input + direction * size * gate_size(),
             out + direction * std::ssize(tokens) * gate_size());
  }
}

const float* FusedEncoder::Forward(const PackedSequences& sequences) {
  sequences_ = &sequences;
  const std::int64_t rows = sequences.token_count(), hidden = shape_.hidden_size;
  Project();
  gates_.Take(2 * rows * gate_size());
  for (Buffer* buffer : {&cells_, &states_, &previous_states_}) buffer->Take(2 * rows * hidden);
  float* const by_position = by_position_.Take(rows * 2 * hidden);
  for (int direction = 0; direction < 2; ++direction) {
    RunForward(direction);
    const float* const states = States(states_, direction);
    OverRows(direction, [&](std::int64_t row, std::int64_t position, std::int64_t) {
      std::copy_n(states + row * hidden, hidden, by_position + (2 * position + direction) * hidden);
    });
  }
  return by_position;
}

void FusedEncoder::RunForward(int direction) {
  const std::int64_t hidden = shape_.hidden_size, gate = gate_size();
  float* const bias = bias_.Take(gate);
  kernels_.scale_add(gate, 1, weights_.input_bias + direction * gate, weights_.recurrent_bias + direction * gate, bias);
  const float* const recurrent = weights_.recurrent + direction * hidden * gate;
  const float* const projection = Projection(direction);
  float* const gates = Gates(direction);
  float* const cells = States(cells_, direction);
  float* const states = States(states_, direction);
  float* const previous_states = States(previous_states_, direction);

  for (std::int64_t step = 0; step < sequences_->steps(); ++step) {
    const std::int64_t first = sequences_->first_row(step), active = sequences_->active(step);
    for (std::int64_t b = 0; b < active; ++b) {
      const std::int64_t token = sequences_->distinct(sequences_->PositionOf(direction, step, b));
      kernels_.scale_add(gate, sequences_->scale(sequences_->by_length(b)), projection + token * gate, bias,
                         gates + (first + b) * gate);
    }
    float* const previous = previous_states + first * hidden;
    const float* previous_cell = nullptr;
    if (step == 0) {
      std::fill_n(previous, active * hidden, 0.0f);
    } else {
      const std::int64_t before = sequences_->first_row(step - 1);
      std::copy_n(states + before * hidden, active * hidden, previous);
      previous_cell = cells + before * hidden;
      Multiply({active, gate, hidden}, previous, recurrent, gates + first * gate, Into::kAdd);
    }
    kernels_.lstm_forward(active, hidden, gates + first * gate, previous_cell, cells + first * hidden,
                          states + first * hidden);
  }
}

void FusedEncoder::LastStates(float* last) const {
  const std::int64_t hidden = shape_.hidden_size;
  for (std::int64_t sequence = 0; sequence < sequences_->count(); ++sequence) {
    const std::int64_t start = sequences_->start(sequence), end = start + sequences_->length(sequence);
    std::copy_n(by_position_.data() + 2 * (end - 1) * hidden, hidden, last + 2 * sequence * hidden);
    std::copy_n(by_position_.data() + (2 * start + 1) * hidden, hidden, last + (2 * sequence + 1) * hidden);
  }
}

void FusedEncoder::Backward(const float* d_states) {
  for (int direction = 0; direction < 2; ++direction) RunBackward(direction, d_states);
}

void FusedEncoder::RunBackward(int direction, const float* d_states) {
  const std::int64_t hidden = shape_.hidden_size, gate = gate_size(), count = sequences_->count();
  float* const d_rows = d_rows_.Take(sequences_->token_count() * hidden);
  OverRows(direction, [&](std::int64_t row, std::int64_t position, std::int64_t) {
    std::copy_n(d_states + (2 * position + direction) * hidden, hidden, d_rows + row * hidden);
  });
  const float* const recurrent = weights_.recurrent + direction * hidden * gate;
  float* const gates = Gates(direction);
  const float* const cells = States(cells_, direction);
  // Sequences join as the steps go back; what they carry is zero until then.
  float* const carried_state = carried_state_.Take(count * hidden);
  float* const d_cell = d_cell_.Take(count * hidden);
  std::fill_n(carried_state, count * hidden, 0.0f);
  std::fill_n(d_cell, count * hidden, 0.0f);

  for (std::int64_t step = sequences_->steps() - 1; step >= 0; --step) {
    const std::int64_t first = sequences_->first_row(step), active = sequences_->active(step);
    const float* const previous_cell = step == 0 ? nullptr : cells + sequences_->first_row(step - 1) * hidden;
    kernels_.lstm_backward(active, hidden, gates + first * gate, previous_cell, cells + first * hidden,
                           d_rows + first * hidden, carried_state, d_cell);
    if (step > 0) MultiplyTransposed({active, hidden, gate}, gates + first * gate, recurrent, carried_state);
  }
}

void FusedEncoder::SumByToken(int direction) {
  const std::int64_t gate = gate_size(), distinct = std::ssize(sequences_->distinct_tokens());
  float* const sums = by_token_.Take(distinct * gate);
  std::fill_n(sums, distinct * gate, 0.0f);
  const float* const gates = Gates(direction);
  OverRows(direction, [&](std::int64_t row, std::int64_t position, std::int64_t sequence) {
    float* const sum = sums + sequences_->distinct(position) * gate;
    kernels_.scale_add(gate, sequences_->scale(sequence), gates + row * gate, sum, sum);
  });
}

SparseRows FusedEncoder::WeightGradients() {
  const std::int64_t hidden = shape_.hidden_size, gate = gate_size(), size = shape_.embedding_size;
  const std::int64_t rows = sequences_->token_count(), distinct = std::ssize(sequences_->distinct_tokens());
  float* const d_embeddings = d_embeddings_.Take(distinct * size);
  for (int direction = 0; direction < 2; ++direction) {
    const float* const gates = Gates(direction);
    TransposedMultiply({hidden, gate, rows}, States(previous_states_, direction), gates,
                       gradients_.recurrent + direction * hidden * gate);
    float* const d_bias = gradients_.input_bias + direction * gate;
    SumRows(rows, gate, gates, d_bias);
    std::copy_n(d_bias, gate, gradients_.recurrent_bias + direction * gate);

    SumByToken(direction);
    TransposedMultiply({size, gate, distinct}, distinct_embeddings_.data(), by_token_.data(),
                       gradients_.input + direction * size * gate);
    MultiplyTransposed({distinct, size, gate}, by_token_.data(), weights_.input + direction * size * gate, d_embeddings,
                       direction == 0 ? Into::kReplace : Into::kAdd);
  }
  // The padding row takes no gradient, also where a text holds the token.
  const auto tokens = sequences_->distinct_tokens();
  const auto padding = std::find(tokens.begin(), tokens.end(), 0);
  if (padding != tokens.end()) std::fill_n(d_embeddings + (padding - tokens.begin()) * size, size, 0.0f);
  return {tokens, d_embeddings};
}

void FusedEncoder::InputGradientDots(float* dots) const {
  std::fill_n(dots, sequences_->token_count(), 0.0f);
  for (int direction = 0; direction < 2; ++direction) {
    const float* const gates = Gates(direction);
    const float* const projection = Projection(direction);
    OverRows(direction, [&](std::int64_t row, std::int64_t position, std::int64_t) {
      dots[position] += kernels_.dot(gate_size(), gates + row * gate_size(),
                                     projection + sequences_->distinct(position) * gate_size());
    });
  }
}

void FusedEncoder::InputGradients(float* gradients) {
  const std::int64_t gate = gate_size(), size = shape_.embedding_size, rows = sequences_->token_count();
  std::fill_n(gradients, rows * size, 0.0f);
  float* const by_row = d_rows_.Take(rows * size);
  for (int direction = 0; direction < 2; ++direction) {
    MultiplyTransposed({rows, size, gate}, Gates(direction), weights_.input + direction * size * gate, by_row);
    OverRows(direction, [&](std::int64_t row, std::int64_t position, std::int64_t) {
      float* const out = gradients + position * size;
      kernels_.scale_add(size, 1, by_row + row * size, out, out);
    });
  }
}

}  // namespace roar::ml
