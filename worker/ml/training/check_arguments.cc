#include "worker/ml/training/check_arguments.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"

namespace roar::ml {
namespace {

bool InRange(const std::vector<std::int32_t>& tokens, std::int64_t vocabulary_size) {
  return std::all_of(tokens.begin(), tokens.end(), [&](std::int32_t id) { return id >= 0 && id < vocabulary_size; });
}

// What is wrong with the example, or nothing.
std::string Problem(const EncodedExample& example, const EncodedDataset& dataset, bool needs_second) {
  if (example.tokens.empty()) return "has no token";
  if (example.second_tokens.empty() == needs_second) return "differs from the first in having a second sequence";
  if (!InRange(example.tokens, dataset.vocabulary_size) || !InRange(example.second_tokens, dataset.vocabulary_size)) {
    return absl::StrCat("has a token id outside 0..", dataset.vocabulary_size - 1);
  }
  if (example.label < 0 || example.label >= dataset.class_count) {
    return absl::StrCat("has label ", example.label, ", outside 0..", dataset.class_count - 1);
  }
  return "";
}

}  // namespace

absl::Status CheckSettings(const TrainingSettings& settings) {
  struct Count {
    const char* name;
    std::int64_t value;
    std::int64_t largest;
  };
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLargestSize = 1 << 20;
  for (const auto& [name, value, largest] :
       {Count{"epochs", settings.epochs, kAny}, Count{"batch_size", settings.batch_size, kAny},
        Count{"embedding_size", settings.embedding_size, kLargestSize},
        Count{"hidden_size", settings.hidden_size, kLargestSize}}) {
    if (value >= 1 && value <= largest) continue;
    return absl::InvalidArgumentError(absl::StrCat(name, " is ", value, "; it must be in 1..", largest));
  }
  // The optimiser's largest factor is ten times the rate, and has to be a float.
  constexpr double kLargestRate = 1e37;
  if (!(settings.learning_rate > 0 && settings.learning_rate <= kLargestRate)) {
    return absl::InvalidArgumentError(
        absl::StrCat("learning_rate is ", settings.learning_rate, "; it must be positive"));
  }
  if (!(settings.weight_decay >= 0 && settings.weight_decay <= kLargestRate)) {
    return absl::InvalidArgumentError(
        absl::StrCat("weight_decay is ", settings.weight_decay, "; it must not be negative"));
  }
  return absl::OkStatus();
}

absl::Status CheckData(const EncodedDataset& dataset) {
  for (const Split split : kAllSplits) {
    const auto found = dataset.splits.find(split);
    if (found == dataset.splits.end() || found->second.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("split ", std::string(Name(split)), " has no example"));
    }
  }
  const bool needs_second = HasSecondSequence(dataset);
  for (const auto& [split, examples] : dataset.splits) {
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const std::string problem = Problem(examples[i], dataset, needs_second);
      if (problem.empty()) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("example ", i, " of split ", std::string(Name(split)), " ", problem));
    }
  }
  return absl::OkStatus();
}

}  // namespace roar::ml
