#include "datasets/text/babi_examples.h"

#include <utility>

#include "core/experiment/random_stream.h"

namespace roar::datasets {
namespace {

constexpr std::size_t kValidationPercent = 15;

}  // namespace

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
  const std::vector<std::int64_t> order = RandomStream(0, "split").Permutation(static_cast<std::int64_t>(train.size()));
  std::vector<bool> is_validation(train.size(), false);
  for (std::size_t i = 0; i < train.size() * kValidationPercent / 100; ++i) {
    is_validation[static_cast<std::size_t>(order[i])] = true;
  }
  Dataset dataset = {.labels = BabiLabels(), .has_second_sequence = true};
  std::vector<Example>& kept = dataset.splits[Split::kTrain];
  std::vector<Example>& validation = dataset.splits[Split::kValidation];
  for (std::size_t i = 0; i < train.size(); ++i) (is_validation[i] ? validation : kept).push_back(std::move(train[i]));
  dataset.splits[Split::kTest] = std::move(test);
  return dataset;
}

}  // namespace roar::datasets
