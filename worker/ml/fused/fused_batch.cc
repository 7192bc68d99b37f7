#include "worker/ml/fused/fused_batch.h"

#include <algorithm>
#include <numeric>

namespace roar::ml {

void PackBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
               std::int64_t vocabulary_size, FusedBatch& batch) {
  constexpr float kUnscaled[] = {1.0f};
  PackScaledBatch(examples, indices, kUnscaled, vocabulary_size, batch);
}

void PackScaledBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
                     std::span<const float> scales, std::int64_t vocabulary_size, FusedBatch& batch) {
  std::vector<Sequence> first, second;
  batch.second_of.clear();
  for (const std::int64_t index : indices) {
    const EncodedExample& example = examples[index];
    for (const float scale : scales) first.push_back({example.tokens, scale});
    if (example.second_tokens.empty()) continue;
    batch.second_of.insert(batch.second_of.end(), scales.size(), static_cast<std::int32_t>(second.size()));
    second.push_back({example.second_tokens});
  }
  batch.first.Pack(first, vocabulary_size);
  batch.second.Pack(second, vocabulary_size);
}

std::span<const std::int64_t> FirstTexts(const std::vector<EncodedExample>& examples,
                                         std::span<const std::int64_t> rest, std::size_t most_texts,
                                         std::int64_t most_tokens) {
  std::size_t count = 0;
  for (std::int64_t tokens = 0; count < std::min(rest.size(), most_texts); ++count) {
    tokens += std::ssize(examples[rest[count]].tokens);
    if (count > 0 && tokens > most_tokens) break;
  }
  return rest.first(count);
}

std::vector<std::int64_t> OrderByLength(const std::vector<EncodedExample>& examples) {
  std::vector<std::int64_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return examples[a].tokens.size() < examples[b].tokens.size();
  });
  return order;
}

}  // namespace roar::ml
