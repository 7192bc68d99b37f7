#include "worker/ml/fused/packed_sequences.h"

#include <algorithm>
#include <numeric>

namespace roar::ml {

void PackedSequences::Pack(std::span<const Sequence> sequences, std::int64_t vocabulary_size) {
  for (const std::int32_t token : distinct_tokens_) index_of_token_[token] = -1;
  index_of_token_.resize(static_cast<std::size_t>(vocabulary_size), -1);
  distinct_tokens_.clear();
  distinct_.clear();
  scales_.clear();
  starts_.assign(1, 0);
  for (const Sequence& sequence : sequences) {
    for (const std::int32_t token : sequence.tokens) {
      if (index_of_token_[token] < 0) {
        index_of_token_[token] = static_cast<std::int32_t>(distinct_tokens_.size());
        distinct_tokens_.push_back(token);
      }
      distinct_.push_back(index_of_token_[token]);
    }
    starts_.push_back(static_cast<std::int32_t>(distinct_.size()));
    scales_.push_back(sequence.scale);
  }

  by_length_.resize(sequences.size());
  std::iota(by_length_.begin(), by_length_.end(), 0);
  std::stable_sort(by_length_.begin(), by_length_.end(),
                   [this](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
  const std::int64_t steps = sequences.empty() ? 0 : length(by_length_[0]);
  active_.assign(static_cast<std::size_t>(steps), 0);
  first_rows_.assign(1, 0);
  std::int64_t still_active = count();
  for (std::int64_t step = 0; step < steps; ++step) {
    while (length(by_length_[still_active - 1]) <= step) --still_active;
    active_[step] = static_cast<std::int32_t>(still_active);
    first_rows_.push_back(first_rows_.back() + active_[step]);
  }
}

}  // namespace roar::ml
