#pragma once

#include <cstdint>
#include <vector>

#include "core/experiment/job_spec.h"
#include "core/experiment/random_stream.h"
#include "worker/ml/run_job.h"

// Small data and settings for the tests.

namespace roar::ml {

inline constexpr std::int32_t kCls = 1, kEos = 2, kMask = 3;

// [CLS] words [EOS] of `word_count` words of the vocabulary, some of them [MASK] or [UNK].
inline std::vector<std::int32_t> RandomText(RandomStream& random, std::int64_t word_count,
                                            std::int64_t vocabulary_size) {
  std::vector<std::int32_t> tokens = {kCls};
  for (std::int64_t i = 0; i < word_count; ++i) {
    tokens.push_back(kMask + static_cast<std::int32_t>(random.Below(vocabulary_size - kMask)));
  }
  tokens.push_back(kEos);
  return tokens;
}

// Texts of 0 to 12 words and questions of 1 to 3, labels at random.
inline std::vector<EncodedExample> RandomExamples(std::int64_t seed, std::int64_t count, std::int64_t vocabulary_size,
                                                  std::int64_t class_count) {
  std::vector<EncodedExample> examples;
  for (std::int64_t i = 0; i < count; ++i) {
    RandomStream random(seed, "examples", i);
    const auto word_count = static_cast<std::int64_t>(random.Below(13));
    const auto question_word_count = static_cast<std::int64_t>(1 + random.Below(3));
    examples.push_back({RandomText(random, word_count, vocabulary_size),
                        RandomText(random, question_word_count, vocabulary_size),
                        static_cast<std::int32_t>(random.Below(class_count))});
  }
  return examples;
}

inline EncodedDataset RandomDataset(std::int64_t seed) {
  EncodedDataset dataset{.splits = {}, .vocabulary_size = 12, .class_count = 3};
  std::int64_t part = 0;
  for (const Split split : kAllSplits) dataset.splits[split] = RandomExamples(seed + 1000 * part++, 70, 12, 3);
  return dataset;
}

// The label is which of the words 5, 6 and 7 stands in the text, among 3 words that say nothing.
inline EncodedDataset LearnableDataset() {
  EncodedDataset dataset{.splits = {}, .vocabulary_size = 12, .class_count = 3};
  for (const Split split : kAllSplits) {
    for (std::int64_t i = 0; i < 60; ++i) {
      RandomStream random(static_cast<std::int64_t>(split), "learnable", i);
      std::vector<std::int32_t> tokens = {kCls, 0, 0, 0, 0, kEos};
      for (int word = 1; word <= 4; ++word) tokens[word] = 8 + static_cast<std::int32_t>(random.Below(4));
      const auto label = static_cast<std::int32_t>(random.Below(3));
      tokens[1 + random.Below(4)] = 5 + label;
      dataset.splits[split].push_back({tokens, {kCls, 4, kEos}, label});
    }
  }
  return dataset;
}

inline TrainSpec TinySpec(std::int64_t epochs = 2) {
  TrainSpec spec;
  spec.training = {.epochs = epochs, .batch_size = 16, .learning_rate = 0.01, .embedding_size = 6, .hidden_size = 5};
  spec.seed = 7;
  return spec;
}

}  // namespace roar::ml
