#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace roar::ml {

struct Sequence {
  std::span<const std::int32_t> tokens;  // at least one
  // Its embeddings are multiplied by this before the model sees them.
  float scale = 1;
};

// Sequences of different lengths without padding. A *row* is a sequence at a time step of the recurrence: rows of one
// step follow each other, longest sequence first, so a step works on the first rows of the step before. The backward
// direction has the same rows; its step s reads position length - 1 - s. A *position* is a token of the text: positions
// of one sequence follow each other, sequences in the caller's order.
class PackedSequences {
 public:
  // Replaces the content. Token ids are below `vocabulary_size`; the spans need not outlive the call.
  void Pack(std::span<const Sequence> sequences, std::int64_t vocabulary_size);

  std::int64_t count() const { return std::ssize(starts_) - 1; }
  std::int64_t steps() const { return std::ssize(active_); }
  std::int64_t token_count() const { return starts_.back(); }

  // Of each step: how many sequences are that long, and its first row.
  std::int64_t active(std::int64_t step) const { return active_[step]; }
  std::int64_t first_row(std::int64_t step) const { return first_rows_[step]; }
  // The caller's index of the b-th longest sequence.
  std::int64_t by_length(std::int64_t b) const { return by_length_[b]; }

  // Of a sequence, by the caller's index: its first position, its length and scale.
  std::int64_t start(std::int64_t sequence) const { return starts_[sequence]; }
  std::int64_t length(std::int64_t sequence) const { return starts_[sequence + 1] - starts_[sequence]; }
  float scale(std::int64_t sequence) const { return scales_[sequence]; }

  // The different tokens, in the order of their first appearance, and by position the index there.
  std::span<const std::int32_t> distinct_tokens() const { return distinct_tokens_; }
  std::int64_t distinct(std::int64_t position) const { return distinct_[position]; }
  std::int32_t token(std::int64_t position) const { return distinct_tokens_[distinct_[position]]; }

  // Where a row of the forward (0) or backward (1) direction stands in the text.
  std::int64_t PositionOf(int direction, std::int64_t step, std::int64_t b) const {
    const std::int64_t sequence = by_length_[b];
    return direction == 0 ? starts_[sequence] + step : starts_[sequence + 1] - 1 - step;
  }

 private:
  std::vector<std::int32_t> starts_, by_length_, active_, first_rows_, distinct_tokens_, distinct_;
  std::vector<float> scales_;
  std::vector<std::int32_t> index_of_token_;  // -1 for tokens that are not there; kept from call to call
};

}  // namespace roar::ml
