#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/experiment/names.h"

namespace roar::ml {

struct EncodedExample {
  // Token ids with [CLS] first and [EOS] last; at least those two. Ids: 0 [PAD], 1 [CLS], 2 [EOS], 3 [MASK], 4 [UNK].
  std::vector<std::int32_t> tokens;
  // The second sequence (question), never masked; empty for one-sequence data sets.
  std::vector<std::int32_t> second_tokens;
  std::int32_t label = 0;
};

struct EncodedDataset {
  std::map<Split, std::vector<EncodedExample>> splits;
  std::int64_t vocabulary_size = 0;
  std::int64_t class_count = 0;
};

// Whether the examples are pairs: all are, or none is.
inline bool HasSecondSequence(const EncodedDataset& dataset) {
  return !dataset.splits.at(Split::kTrain).front().second_tokens.empty();
}

}  // namespace roar::ml
