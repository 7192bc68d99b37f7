#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "datasets/generators/babi_generator.h"
#include "datasets/importers/babi.h"
#include "datasets/importers/text_file.h"
#include "tests/datasets/shared_data.h"
#include "tests/datasets/story_reader.h"

// The generator against what was measured on the published files, and against the files themselves where they are.

namespace roar::datasets {
namespace {

constexpr std::size_t kQuestionsPerStory = 5;
constexpr std::int64_t kStories = 2000;

// The test part of a generated data set keeps the questions of a story together.
std::vector<Example> GenerateStories(int task) {
  const auto dataset = GenerateBabi(task, {.train_examples = 7, .test_examples = kStories * 5, .seed = 0});
  return dataset.ok() ? dataset->splits.at(Split::kTest) : std::vector<Example>{};
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// One observation each per story, statement, question, as the rows of the table count them.
struct Measurements {
  std::vector<double> statements_per_story;
  std::vector<double> words;
  std::map<std::string, std::vector<double>> is_action;
  std::vector<double> first_is_grab;
  std::vector<double> same_actor;
  // Statements back from the question, 0 the last, of the first, second and third supporting statement.
  std::map<std::size_t, std::vector<double>> distances;
  std::vector<double> dropped;
  std::vector<double> same_question;
  std::map<std::int32_t, double> answers;
};

void MeasureStory(const std::vector<ReadStatement>& statements, Measurements& measured) {
  measured.statements_per_story.push_back(static_cast<double>(statements.size()));
  measured.first_is_grab.push_back(statements.front().action == "grab");
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (const char* action : {"move", "grab", "drop"}) {
      measured.is_action[action].push_back(statements[i].action == action);
    }
    if (i > 0) measured.same_actor.push_back(statements[i].actor == statements[i - 1].actor);
  }
}

// Supports in bAbI's order: the grab or drop, then the moves, the latest first.
void MeasureEvidence(const Example& example, const std::vector<ReadStatement>& statements, Measurements& measured) {
  std::vector<std::size_t> supports = EvidenceStatements(example, statements);
  std::reverse(supports.begin(), supports.end());
  std::stable_partition(supports.begin(), supports.end(),
                        [&](std::size_t support) { return statements[support].action != "move"; });
  for (std::size_t i = 0; i < supports.size(); ++i) {
    measured.distances[i].push_back(static_cast<double>(statements.size() - 1 - supports[i]));
  }
  measured.dropped.push_back(statements[supports.front()].action == "drop");
}

Measurements Measure(const std::vector<Example>& examples) {
  Measurements measured;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Example& example = examples[i];
    const std::vector<ReadStatement> statements = ReadStory(example.tokens);
    if (i % kQuestionsPerStory == kQuestionsPerStory - 1) MeasureStory(statements, measured);
    MeasureEvidence(example, statements, measured);
    const auto stops = std::count(example.tokens.begin(), example.tokens.end(), ".");
    measured.words.push_back(static_cast<double>(example.tokens.size() + example.second_tokens.size()) -
                             static_cast<double>(stops));
    if (i % kQuestionsPerStory > 0) {
      measured.same_question.push_back(example.second_tokens == examples[i - 1].second_tokens);
    }
    measured.answers[example.label] += 1.0 / static_cast<double>(examples.size());
  }
  return measured;
}

double LargestAnswer(const Measurements& measured) {
  double largest = 0;
  for (const auto& [label, share] : measured.answers) largest = std::max(largest, share);
  return largest;
}

// Shares of first supports 0..4 statements back, in permille.
void ExpectFirstDistances(const Measurements& measured, const std::vector<double>& shares) {
  const std::vector<double>& distances = measured.distances.at(0);
  for (std::size_t back = 0; back < shares.size(); ++back) {
    const auto count = std::count(distances.begin(), distances.end(), static_cast<double>(back));
    EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(distances.size()), shares[back], 0.025) << back;
  }
  EXPECT_LE(*std::max_element(distances.begin(), distances.end()), 4);
}

TEST(GeneratedStatistics, Task1) {
  const Measurements measured = Measure(GenerateStories(1));
  EXPECT_EQ(Quantile(measured.statements_per_story, 0), 10);
  EXPECT_EQ(Quantile(measured.statements_per_story, 1), 10);
  EXPECT_NEAR(Mean(measured.words), 34, 0.5);
  EXPECT_NEAR(Quantile(measured.words, 0.95), 56, 1);
  EXPECT_NEAR(Quantile(measured.words, 1), 61, 2);
  EXPECT_EQ(Mean(measured.is_action.at("move")), 1);
  EXPECT_NEAR(Mean(measured.same_actor), 0.252, 0.015);
  ExpectFirstDistances(measured, {0.450, 0.288, 0.135, 0.086, 0.041});
  EXPECT_NEAR(Mean(measured.same_question), 0.359, 0.025);
  EXPECT_EQ(measured.answers.size(), 6);
  EXPECT_NEAR(LargestAnswer(measured), 0.18, 0.015);
}

TEST(GeneratedStatistics, Task2) {
  const Measurements measured = Measure(GenerateStories(2));
  EXPECT_NEAR(Mean(measured.statements_per_story), 22.0, 0.7);
  EXPECT_NEAR(Quantile(measured.statements_per_story, 0.5), 20, 2);
  EXPECT_NEAR(Quantile(measured.statements_per_story, 0.95), 34, 2);
  EXPECT_NEAR(Mean(measured.words), 83.5, 3);
  EXPECT_NEAR(Quantile(measured.words, 0.95), 156, 8);
  EXPECT_NEAR(Mean(measured.is_action.at("move")), 0.651, 0.015);
  EXPECT_NEAR(Mean(measured.is_action.at("grab")), 0.197, 0.012);
  EXPECT_NEAR(Mean(measured.is_action.at("drop")), 0.152, 0.012);
  EXPECT_NEAR(Mean(measured.first_is_grab), 0.314, 0.04);
  EXPECT_NEAR(Mean(measured.same_actor), 0.292, 0.012);
  ExpectFirstDistances(measured, {0.249, 0.234, 0.198, 0.179, 0.140});
  EXPECT_NEAR(Mean(measured.distances.at(1)), 4.30, 0.25);
  EXPECT_NEAR(Mean(measured.dropped), 0.687, 0.025);
  EXPECT_NEAR(Mean(measured.same_question), 0.665, 0.025);
  EXPECT_NEAR(LargestAnswer(measured), 0.18, 0.015);
}

// Measured on 400 stories only, hence wider.
TEST(GeneratedStatistics, Task3) {
  const Measurements measured = Measure(GenerateStories(3));
  EXPECT_NEAR(Mean(measured.statements_per_story), 73.8, 5);
  EXPECT_NEAR(Quantile(measured.statements_per_story, 0.5), 66, 5);
  EXPECT_NEAR(Quantile(measured.statements_per_story, 0.95), 144, 14);
  EXPECT_NEAR(Mean(measured.words), 256, 18);
  EXPECT_NEAR(Quantile(measured.words, 0.95), 580, 60);
  EXPECT_NEAR(Mean(measured.is_action.at("move")), 0.637, 0.012);
  EXPECT_NEAR(Mean(measured.is_action.at("grab")), 0.188, 0.012);
  EXPECT_NEAR(Mean(measured.is_action.at("drop")), 0.175, 0.012);
  EXPECT_NEAR(Mean(measured.first_is_grab), 0.300, 0.05);
  EXPECT_NEAR(Mean(measured.same_actor), 0.287, 0.01);
  ExpectFirstDistances(measured, {0.264, 0.192, 0.186, 0.178, 0.182});
  EXPECT_NEAR(Mean(measured.distances.at(1)), 4.37, 0.5);
  EXPECT_NEAR(Mean(measured.distances.at(2)), 7.33, 0.5);
  EXPECT_NEAR(Mean(measured.dropped), 0.789, 0.03);
  EXPECT_NEAR(Mean(measured.same_question), 0.421, 0.04);
  EXPECT_NEAR(LargestAnswer(measured), 0.20, 0.035);
}

TEST(GeneratedStatistics, WordsAreDrawnUniformlyAndThereAsOftenAsInTheFiles) {
  for (const int task : {2, 3}) {
    std::map<std::string, double> actions;
    std::map<std::string, double> there;
    std::map<std::pair<std::string, std::string>, double> verbs;
    const std::vector<Example> examples = GenerateStories(task);
    for (std::size_t i = kQuestionsPerStory - 1; i < examples.size(); i += kQuestionsPerStory) {
      for (const ReadStatement& statement : ReadStory(examples[i].tokens)) {
        ++actions[statement.action];
        ++verbs[{statement.action, statement.verb}];
        there[statement.action] += statement.there;
      }
    }
    EXPECT_NEAR(there["grab"] / actions["grab"], task == 2 ? 1 : 0.2, task == 2 ? 0 : 0.02);
    EXPECT_NEAR(there["drop"] / actions["drop"], 0.2, 0.02);
    EXPECT_EQ(verbs.size(), 5 + 4 + 4);
    for (const auto& [verb, count] : verbs) {
      EXPECT_NEAR(count / actions[verb.first], verb.first == "move" ? 0.2 : 0.25, 0.02) << verb.second;
    }
  }
}

// Two-sample chi-square test: how likely such a difference is when both were drawn from the same shares.
double ChiSquareProbability(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  std::set<std::string> classes;
  double total_a = 0;
  double total_b = 0;
  for (const auto& [name, count] : a) classes.insert(name), total_a += count;
  for (const auto& [name, count] : b) classes.insert(name), total_b += count;
  double statistic = 0;
  for (const std::string& name : classes) {
    const double count_a = a.count(name) > 0 ? a.at(name) : 0;
    const double count_b = b.count(name) > 0 ? b.at(name) : 0;
    const double difference = count_a * std::sqrt(total_b / total_a) - count_b * std::sqrt(total_a / total_b);
    statistic += difference * difference / (count_a + count_b);
  }
  const boost::math::chi_squared distribution(static_cast<double>(classes.size() - 1));
  return boost::math::cdf(boost::math::complement(distribution, statistic));
}

// Of each story's last question, so that the observations are independent: the answers, the distance of the answer's
// last mention (0..9, or more) and the story's length in steps of ten statements.
struct Counts {
  std::map<std::string, double> answers;
  std::map<std::string, double> lengths;
  std::map<std::string, double> mentions;

  void Add(const std::vector<std::string>& story, const std::string& answer) {
    const std::vector<ReadStatement> statements = ReadStory(story);
    std::size_t back = 0;
    while (back < 10 && back < statements.size() && statements[statements.size() - 1 - back].noun != answer) ++back;
    ++answers[answer];
    ++lengths[std::to_string(std::min<std::size_t>(statements.size() / 10, 12))];
    ++mentions[std::to_string(back)];
  }
};

Counts CountReal(const std::filesystem::path& file) {
  Counts counts;
  const auto text = ReadTextFile(file.string());
  EXPECT_TRUE(text.ok()) << text.status();
  ImportReport report;
  const auto questions = ParseBabi(*text, file.string(), report);
  EXPECT_TRUE(report.problems().empty());
  for (std::size_t i = kQuestionsPerStory - 1; i < questions.size(); i += kQuestionsPerStory) {
    counts.Add(questions[i].story, questions[i].answer);
  }
  return counts;
}

Counts CountGenerated(int task) {
  const auto dataset = GenerateBabi(task, {.train_examples = 7, .test_examples = kStories * 5, .seed = 1});
  Counts counts;
  const std::vector<Example>& examples = dataset->splits.at(Split::kTest);
  for (std::size_t i = kQuestionsPerStory - 1; i < examples.size(); i += kQuestionsPerStory) {
    counts.Add(examples[i].tokens, dataset->labels[static_cast<std::size_t>(examples[i].label)]);
  }
  return counts;
}

TEST(GeneratedStatistics, CannotBeToldFromTheRealFiles) {
  ROAR_SKIP_WITHOUT_SHARED_BABI();
  const std::pair<int, const char*> files[] = {{1, "en-10k/qa1_single-supporting-fact_train.txt.gz"},
                                               {2, "en-10k/qa2_two-supporting-facts_train.txt.gz"},
                                               {3, "en/qa3_three-supporting-facts_train.txt.gz"}};
  for (const auto& [task, file] : files) {
    const Counts real = CountReal(SharedBabi() / file);
    const Counts generated = CountGenerated(task);
    EXPECT_GT(ChiSquareProbability(real.answers, generated.answers), 0.001) << file;
    EXPECT_GT(ChiSquareProbability(real.mentions, generated.mentions), 0.001) << file;
    if (task > 1) {
      EXPECT_GT(ChiSquareProbability(real.lengths, generated.lengths), 0.001) << file;
    }
  }
}

TEST(GeneratedStatistics, TheChiSquareTestTellsDifferentShares) {
  const std::map<std::string, double> fair = {{"a", 500}, {"b", 500}};
  EXPECT_GT(ChiSquareProbability(fair, {{"a", 490}, {"b", 510}}), 0.5);
  EXPECT_LT(ChiSquareProbability(fair, {{"a", 600}, {"b", 400}}), 0.001);
  // Between tasks that differ in their rules.
  EXPECT_LT(ChiSquareProbability(CountGenerated(2).mentions, CountGenerated(3).mentions), 0.001);
}

}  // namespace
}  // namespace roar::datasets
