#include "datasets/generators/babi_generator.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/experiment/random_stream.h"
#include "datasets/generators/babi_question.h"
#include "datasets/generators/babi_world.h"
#include "datasets/text/babi_examples.h"

namespace roar::datasets {
namespace {

constexpr std::size_t kQuestionsPerStory = 5;
constexpr int kStatementsPerTry = 2;
constexpr std::int64_t kMinimumTrainExamples = 7;
constexpr std::int64_t kMaximumExamples = 10'000'000;

// Part of a stream's name.
enum class Part { kTrain = 0, kTest = 1 };

std::int32_t LabelOf(const std::string& place) {
  const std::vector<std::string>& labels = BabiLabels();
  return static_cast<std::int32_t>(std::find(labels.begin(), labels.end(), place) - labels.begin());
}

// A story while it is told: the statements, and where each stands in the joined text.
class Narration {
 public:
  void Add(BabiStatement statement) {
    const std::vector<std::string> words = SplitWords(statement.text);
    AppendStatement(words, tokens_);
    first_tokens_.push_back(tokens_.size() - words.size());
    end_tokens_.push_back(tokens_.size());
    statements_.push_back(std::move(statement));
  }

  const std::vector<BabiStatement>& statements() const { return statements_; }

  Example ToExample(const BabiInquiry& inquiry) const {
    Example example = {.tokens = tokens_, .second_tokens = SplitWords(inquiry.text), .label = LabelOf(inquiry.answer)};
    for (const std::size_t statement : inquiry.support) {
      for (std::size_t token = first_tokens_[statement]; token < end_tokens_[statement]; ++token) {
        example.evidence_tokens.push_back(static_cast<std::int32_t>(token));
      }
    }
    std::sort(example.evidence_tokens.begin(), example.evidence_tokens.end());
    return example;
  }

 private:
  std::vector<BabiStatement> statements_;
  std::vector<std::string> tokens_;
  std::vector<std::size_t> first_tokens_;
  std::vector<std::size_t> end_tokens_;
};

std::vector<Example> TellStory(int task, RandomStream random) {
  BabiWorld world(task, random);
  Narration narration;
  std::vector<Example> examples;
  while (examples.size() < kQuestionsPerStory) {
    for (int i = 0; i < kStatementsPerTry; ++i) narration.Add(world.Next());
    const std::optional<BabiInquiry> inquiry = Ask(task, narration.statements(), random);
    if (inquiry.has_value()) examples.push_back(narration.ToExample(*inquiry));
  }
  return examples;
}

std::vector<Example> GeneratePart(int task, Part part, std::int64_t count, std::int64_t seed) {
  const std::string purpose = absl::StrCat("babi-gen-", task);
  const auto wanted = static_cast<std::size_t>(count);
  std::vector<Example> examples;
  examples.reserve(wanted + kQuestionsPerStory);
  for (std::int64_t story = 0; examples.size() < wanted; ++story) {
    for (Example& example : TellStory(task, RandomStream(seed, purpose, story, static_cast<std::int64_t>(part)))) {
      examples.push_back(std::move(example));
    }
  }
  examples.resize(wanted);
  return examples;
}

absl::Status CheckSize(const char* name, std::int64_t size, std::int64_t minimum) {
  if (size >= minimum && size <= kMaximumExamples) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is ", size, "; give a number from ", minimum, " to ", kMaximumExamples));
}

}  // namespace

absl::StatusOr<Dataset> GenerateBabi(int task, const GeneratorOptions& options) {
  if (absl::Status check = CheckSize("train_examples", options.train_examples, kMinimumTrainExamples); !check.ok()) {
    return check;
  }
  if (absl::Status check = CheckSize("test_examples", options.test_examples, 1); !check.ok()) return check;
  return AssembleBabi(GeneratePart(task, Part::kTrain, options.train_examples, options.seed),
                      GeneratePart(task, Part::kTest, options.test_examples, options.seed));
}

}  // namespace roar::datasets
