#include "worker/ml/fused/fused_attention.h"

#include <algorithm>
#include <cmath>

#include "core/masks/ranking.h"

namespace roar::ml {
namespace {

// The softmax of the scores of the maskable tokens, in place; zero elsewhere.
void MaskedSoftmax(const PackedSequences& sequences, std::int64_t first, std::int64_t length, float* scores) {
  float largest = -INFINITY;
  for (std::int64_t t = first; t < first + length; ++t) {
    if (masks::IsMaskable(sequences.token(t))) largest = std::max(largest, scores[t]);
  }
  float sum = 0;
  for (std::int64_t t = first; t < first + length; ++t) {
    scores[t] = masks::IsMaskable(sequences.token(t)) ? std::exp(scores[t] - largest) : 0.0f;
    sum += scores[t];
  }
  if (sum == 0) return;
  for (std::int64_t t = first; t < first + length; ++t) scores[t] /= sum;
}

}  // namespace

void FusedAttention::Forward(const PackedSequences& sequences, const float* states, const float* query,
                             float* context) {
  sequences_ = &sequences;
  states_ = states;
  const std::int64_t tokens = sequences.token_count(), size = hidden_size_;
  float* const hidden = hidden_.Take(tokens * size);
  float* const alpha = alpha_.Take(tokens);
  layer_.Forward(tokens, states, hidden);
  if (query != nullptr) AddQuery(query);
  kernels_.tanh(tokens * size, hidden);
  for (std::int64_t t = 0; t < tokens; ++t) alpha[t] = kernels_.dot(size, hidden + t * size, score_);

  std::fill_n(context, sequences.count() * 2 * size, 0.0f);
  for (std::int64_t sequence = 0; sequence < sequences.count(); ++sequence) {
    const std::int64_t first = sequences.start(sequence), length = sequences.length(sequence);
    MaskedSoftmax(sequences, first, length, alpha);
    float* const out = context + sequence * 2 * size;
    for (std::int64_t t = first; t < first + length; ++t) {
      kernels_.scale_add(2 * size, alpha[t], states + t * 2 * size, out, out);
    }
  }
}

void FusedAttention::AddQuery(const float* query) {
  for (std::int64_t sequence = 0; sequence < sequences_->count(); ++sequence) {
    const std::int64_t first = sequences_->start(sequence);
    for (std::int64_t t = first; t < first + sequences_->length(sequence); ++t) {
      float* const row = hidden_.data() + t * hidden_size_;
      kernels_.scale_add(hidden_size_, 1, query + sequence * hidden_size_, row, row);
    }
  }
}

void FusedAttention::SoftmaxBackward(std::int64_t first, std::int64_t length, float* d_alpha) const {
  const float* const alpha = alpha_.data();
  float sum = 0;
  for (std::int64_t t = first; t < first + length; ++t) sum += alpha[t] * d_alpha[t];
  for (std::int64_t t = first; t < first + length; ++t) d_alpha[t] = alpha[t] * (d_alpha[t] - sum);
}

void FusedAttention::Backward(const float* d_context, float* d_states, float* d_query) {
  const std::int64_t tokens = sequences_->token_count(), size = hidden_size_;
  const float* const alpha = alpha_.data();
  const float* const hidden = hidden_.data();
  float* const d_score = d_score_.Take(tokens);
  float* const d_hidden = d_hidden_.Take(tokens * size);
  if (d_query != nullptr) std::fill_n(d_query, sequences_->count() * size, 0.0f);

  for (std::int64_t sequence = 0; sequence < sequences_->count(); ++sequence) {
    const std::int64_t first = sequences_->start(sequence), length = sequences_->length(sequence);
    const float* const d_out = d_context + sequence * 2 * size;
    for (std::int64_t t = first; t < first + length; ++t) {
      d_score[t] = kernels_.dot(2 * size, d_out, states_ + t * 2 * size);
      for (std::int64_t j = 0; j < 2 * size; ++j) d_states[t * 2 * size + j] = alpha[t] * d_out[j];
    }
    SoftmaxBackward(first, length, d_score);
    for (std::int64_t t = first; t < first + length; ++t) {
      float* const d_row = d_hidden + t * size;
      for (std::int64_t j = 0; j < size; ++j) d_row[j] = d_score[t] * score_[j];
      kernels_.tanh_backward(size, d_row, hidden + t * size, d_row);
      if (d_query != nullptr) kernels_.scale_add(size, 1, d_row, d_query + sequence * size, d_query + sequence * size);
    }
  }
  layer_.Backward(tokens, d_hidden, d_states, Into::kAdd);
}

void FusedAttention::WeightGradients() {
  const std::int64_t tokens = sequences_->token_count(), size = hidden_size_;
  layer_.WeightGradients(tokens, states_, d_hidden_.data());
  std::fill_n(d_score_weight_, size, 0.0f);
  for (std::int64_t t = 0; t < tokens; ++t) {
    kernels_.scale_add(size, d_score_.data()[t], hidden_.data() + t * size, d_score_weight_, d_score_weight_);
  }
}

}  // namespace roar::ml
