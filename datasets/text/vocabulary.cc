#include "datasets/text/vocabulary.h"

#include <utility>

namespace roar::datasets {
namespace {

constexpr std::int32_t kClsId = 1;
constexpr std::int32_t kEosId = 2;
constexpr std::int32_t kUnknownId = 4;
// By id. A word of the text that happens to be spelled like one of these is a word like any other.
constexpr const char* kSpecials[] = {"[PAD]", "[CLS]", "[EOS]", "[MASK]", "[UNK]"};

std::map<std::string, std::int64_t> CountWords(const std::vector<Example>& examples) {
  std::map<std::string, std::int64_t> counts;
  for (const Example& example : examples) {
    for (const std::string& token : example.tokens) ++counts[token];
    for (const std::string& token : example.second_tokens) ++counts[token];
  }
  return counts;
}

}  // namespace

Vocabulary Vocabulary::FromTrainSplit(const Dataset& dataset, std::int64_t minimum_count) {
  Vocabulary vocabulary;
  vocabulary.words_.assign(std::begin(kSpecials), std::end(kSpecials));
  const auto train = dataset.splits.find(Split::kTrain);
  if (train == dataset.splits.end()) return vocabulary;
  for (const auto& [word, count] : CountWords(train->second)) {
    if (count < minimum_count) continue;
    vocabulary.ids_.emplace(word, static_cast<std::int32_t>(vocabulary.words_.size()));
    vocabulary.words_.push_back(word);
  }
  return vocabulary;
}

std::vector<std::int32_t> Vocabulary::Encode(const std::vector<std::string>& tokens) const {
  std::vector<std::int32_t> ids = {kClsId};
  ids.reserve(tokens.size() + 2);
  for (const std::string& token : tokens) {
    const auto found = ids_.find(token);
    ids.push_back(found == ids_.end() ? kUnknownId : found->second);
  }
  ids.push_back(kEosId);
  return ids;
}

}  // namespace roar::datasets
