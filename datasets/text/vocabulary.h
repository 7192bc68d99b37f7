#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace roar::datasets {

// Words of the train split to ids: [PAD] 0, [CLS] 1, [EOS] 2, [MASK] 3, [UNK] 4, then words in byte order. Both
// sequences count. A word seen fewer than `minimum_count` times is [UNK].
class Vocabulary {
 public:
  static Vocabulary FromTrainSplit(const Dataset& dataset, std::int64_t minimum_count = 1);

  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
  // The word of an id in [0, size()).
  const std::string& Word(std::int32_t id) const { return words_[static_cast<std::size_t>(id)]; }
  // [CLS], the words' ids, [EOS].
  std::vector<std::int32_t> Encode(const std::vector<std::string>& tokens) const;

 private:
  std::vector<std::string> words_;
  std::map<std::string, std::int32_t> ids_;
};

}  // namespace roar::datasets
