#include "datasets/text/babi_examples.h"

#include <utility>

#include "datasets/text/validation_split.h"

namespace roar::datasets {

const std::vector<std::string>& BabiLabels() {
  static const auto& labels = *new std::vector<std::string>{
      "put",  "picked",    "down",    ".",       "travelled", "was",     "football", "got",     "garden",
      "milk", "discarded", "is",      "moved",   "journeyed", "apple",   "took",     "Sandra",  "before",
      "Mary", "Where",     "John",    "office",  "there",     "Daniel",  "bathroom", "went",    "left",
      "the",  "back",      "hallway", "dropped", "to",        "bedroom", "kitchen",  "grabbed", "up"};
  return labels;
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (const std::string_view word = text.substr(0, end); !word.empty()) words.emplace_back(word);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

void AppendStatement(const std::vector<std::string>& words, std::vector<std::string>& story) {
  if (!story.empty()) story.emplace_back(".");
  story.insert(story.end(), words.begin(), words.end());
}

Dataset AssembleBabi(std::vector<Example> train, std::vector<Example> test) {
  Dataset dataset = {.labels = BabiLabels(), .has_second_sequence = true};
  dataset.splits[Split::kTrain] = std::move(train);
  dataset.splits[Split::kTest] = std::move(test);
  TakeValidationSplit(dataset);
  return dataset;
}

}  // namespace roar::datasets
