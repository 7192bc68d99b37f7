#pragma once

#include <string>
#include <vector>

#include "core/experiment/random_stream.h"
#include "datasets/dataset.h"

// A data set of two sequences that a small model can learn: the label is which of three words stands in the text.

namespace roar::runner {

inline datasets::Example TinyExample(Split split, std::int64_t index) {
  static const std::vector<std::string> kAnswers = {"garden", "kitchen", "office"};
  RandomStream random(static_cast<std::int64_t>(split), "tiny", index);
  datasets::Example example;
  const auto word_count = static_cast<std::int64_t>(3 + random.Below(8));
  for (std::int64_t i = 0; i < word_count; ++i) example.tokens.push_back("word" + std::to_string(random.Below(6)));
  example.label = static_cast<std::int32_t>(random.Below(kAnswers.size()));
  example.tokens[random.Below(example.tokens.size())] = kAnswers[static_cast<std::size_t>(example.label)];
  example.second_tokens = {"where", "is", "it"};
  return example;
}

// The first test example has no token that could be masked.
inline datasets::Dataset TinyDataset(std::int64_t examples_per_split = 24) {
  datasets::Dataset dataset = {.labels = {"garden", "kitchen", "office"}, .has_second_sequence = true};
  for (const Split split : kAllSplits) {
    for (std::int64_t i = 0; i < examples_per_split; ++i) dataset.splits[split].push_back(TinyExample(split, i));
  }
  dataset.splits[Split::kTest].front().tokens.clear();
  return dataset;
}

}  // namespace roar::runner
