#include "worker/ml/model/batch.h"

#include <algorithm>

namespace roar::ml {
namespace {

using TokensOf = const std::vector<std::int32_t>& (*)(const EncodedExample&);

PaddedSequences Pad(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
                    TokensOf tokens_of) {
  const auto batch = static_cast<std::int64_t>(indices.size());
  std::int64_t time = 0;
  for (const std::int64_t index : indices) time = std::max(time, std::ssize(tokens_of(examples[index])));

  PaddedSequences padded{torch::zeros({time, batch}, torch::kLong), torch::empty({batch}, torch::kLong),
                         torch::empty({time * batch}, torch::kLong)};
  auto* tokens = padded.tokens.data_ptr<std::int64_t>();
  auto* lengths = padded.lengths.data_ptr<std::int64_t>();
  auto* reversal = padded.reversal.data_ptr<std::int64_t>();
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::vector<std::int32_t>& sequence = tokens_of(examples[indices[b]]);
    lengths[b] = std::ssize(sequence);
    for (std::int64_t t = 0; t < time; ++t) {
      const bool is_padding = t >= lengths[b];
      if (!is_padding) tokens[t * batch + b] = sequence[t];
      reversal[t * batch + b] = (is_padding ? t : lengths[b] - 1 - t) * batch + b;
    }
  }
  return padded;
}

}  // namespace

Batch MakeBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices) {
  Batch batch;
  batch.first = Pad(examples, indices, [](const EncodedExample& e) -> const auto& { return e.tokens; });
  if (!examples[indices[0]].second_tokens.empty()) {
    batch.second = Pad(examples, indices, [](const EncodedExample& e) -> const auto& { return e.second_tokens; });
  }
  batch.labels = torch::empty({std::ssize(indices)}, torch::kLong);
  std::transform(indices.begin(), indices.end(), batch.labels.data_ptr<std::int64_t>(),
                 [&](std::int64_t index) { return examples[index].label; });
  return batch;
}

}  // namespace roar::ml
