#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/experiment/random_stream.h"
#include "worker/ml/encoded_dataset.h"

// Data of the shapes of the published experiments, for the benchmarks of training and explaining.

namespace roar::ml {

struct TrainingShape {
  std::string name;
  std::int64_t batch_size;
  std::int64_t vocabulary_size;
  std::int64_t class_count;
  std::int64_t embedding_size;
  std::int64_t hidden_size;
  std::int64_t shortest, longest;  // tokens of the first sequence, evenly spread
  std::int64_t second_tokens;      // 0: none
};

// SST: sentences of 8 to 32 tokens.
inline const TrainingShape kSst = {"sst", 32, 13'770, 2, 300, 128, 8, 32, 0};
// bAbI-1: stories of 2 to 10 sentences, questions of 5 tokens, 25 words.
inline const TrainingShape kBabi1 = {"babi-1", 50, 25, 36, 50, 32, 14, 63, 5};

// Low ids are drawn more often than high ones, though less so than common words are in a language: a real text repeats
// itself more.
inline std::int32_t DrawWord(RandomStream& random, std::int64_t vocabulary_size) {
  const std::uint64_t largest = random.Below(static_cast<std::uint64_t>(vocabulary_size - 5)) + 1;
  return 5 + static_cast<std::int32_t>(random.Below(largest));
}

inline std::vector<EncodedExample> ExamplesOf(const TrainingShape& shape, std::int64_t count) {
  std::vector<EncodedExample> examples;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random(0, "bench/" + shape.name, i);
    const auto range = static_cast<std::uint64_t>(shape.longest - shape.shortest + 1);
    const auto length = static_cast<std::size_t>(shape.shortest) + (i == 0 ? range - 1 : random.Below(range));
    EncodedExample example{std::vector<std::int32_t>(length),
                           std::vector<std::int32_t>(static_cast<std::size_t>(shape.second_tokens)),
                           static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(shape.class_count)))};
    for (auto* tokens : {&example.tokens, &example.second_tokens}) {
      for (std::int32_t& token : *tokens) token = DrawWord(random, shape.vocabulary_size);
      if (tokens->empty()) continue;
      tokens->front() = 1;
      tokens->back() = 2;
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace roar::ml
