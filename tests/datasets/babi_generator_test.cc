#include "datasets/generators/babi_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "datasets/canonical.h"
#include "datasets/importers/babi.h"
#include "datasets/text/babi_examples.h"
#include "datasets/text/vocabulary.h"
#include "tests/datasets/story_reader.h"

namespace roar::datasets {
namespace {

constexpr int kTasks[] = {1, 2, 3};

Dataset Generate(int task, const GeneratorOptions& options) {
  const auto dataset = GenerateBabi(task, options);
  EXPECT_TRUE(dataset.ok()) << dataset.status();
  return dataset.value_or(Dataset{});
}

const std::string& LabelName(const Dataset& dataset, const Example& example) {
  return dataset.labels.at(static_cast<std::size_t>(example.label));
}

// Stored data sets are found by these. They were computed once and move only with a new generator's name.
TEST(BabiGenerator, ContentDoesNotMove) {
  const GeneratorOptions options = {.train_examples = 20, .test_examples = 5, .seed = 0};
  EXPECT_EQ(Encode(Generate(1, options)).content_sha256,
            "e75d2ebb8a9a2b4630cbd64161380a4bb073fa3f1bb7a248633c0657c87970fd");
  EXPECT_EQ(Encode(Generate(2, options)).content_sha256,
            "35b816963e189dc7daa6c05e35e539a2d784ebaedd58f800f8b439d1380ce80e");
  EXPECT_EQ(Encode(Generate(3, options)).content_sha256,
            "b69cc5746d4be634e3118f99617dbf7bf1a26c7bfa03ef0b9ada1eb9dd98c2bd");
}

TEST(BabiGenerator, SizesAreAsAskedAlsoWhenTheLastStoryIsCut) {
  const Dataset dataset = Generate(2, {.train_examples = 103, .test_examples = 7});
  EXPECT_EQ(dataset.splits.at(Split::kTrain).size(), 88);
  EXPECT_EQ(dataset.splits.at(Split::kValidation).size(), 15);
  EXPECT_EQ(dataset.splits.at(Split::kTest).size(), 7);
  EXPECT_TRUE(dataset.has_second_sequence);
  EXPECT_EQ(dataset.labels, BabiLabels());
}

TEST(BabiGenerator, SizesOutOfRangeAreRefused) {
  for (const GeneratorOptions& options : {GeneratorOptions{.train_examples = 0},
                                          {.train_examples = 6},
                                          {.train_examples = -5},
                                          {.test_examples = 0},
                                          {.train_examples = 10'000'001},
                                          {.test_examples = 10'000'001}}) {
    EXPECT_EQ(GenerateBabi(1, options).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(BabiGenerator, SeedTaskAndPartChangeTheStoriesAndSizesDoNot) {
  const Dataset small = Generate(2, {.train_examples = 20, .test_examples = 20, .seed = 1});
  const auto& test = small.splits.at(Split::kTest);
  EXPECT_EQ(Generate(2, {.train_examples = 40, .test_examples = 20, .seed = 1}).splits.at(Split::kTest), test);
  const Dataset longer = Generate(2, {.train_examples = 20, .test_examples = 40, .seed = 1});
  EXPECT_TRUE(std::equal(test.begin(), test.end(), longer.splits.at(Split::kTest).begin()));
  EXPECT_EQ(longer.splits.at(Split::kTrain), small.splits.at(Split::kTrain));
  EXPECT_NE(Generate(2, {.train_examples = 20, .test_examples = 20, .seed = 2}).splits.at(Split::kTest), test);
  EXPECT_NE(small.splits.at(Split::kTrain).front().tokens, test.front().tokens);
}

TEST(BabiGenerator, VocabularyIsThatOfThePublishedFiles) {
  const std::int64_t specials = 5;
  // In lower case with "?": 21, 35, 36.
  EXPECT_EQ(Vocabulary::FromTrainSplit(Generate(1, {.train_examples = 1000})).size(), 20 + specials);
  EXPECT_EQ(Vocabulary::FromTrainSplit(Generate(2, {.train_examples = 1000})).size(), 34 + specials);
  EXPECT_EQ(Vocabulary::FromTrainSplit(Generate(3, {.train_examples = 1000})).size(), 35 + specials);
}

RC_GTEST_PROP(BabiGenerator, AnswersAreTrueInAReplayedWorld, (std::int64_t seed)) {
  for (const int task : kTasks) {
    const Dataset dataset = Generate(task, {.train_examples = 20, .test_examples = 20, .seed = seed});
    for (const auto& [split, examples] : dataset.splits) {
      for (const Example& example : examples) {
        RC_ASSERT(AnswerByReplay(ReadStory(example.tokens), example.second_tokens) == LabelName(dataset, example));
      }
    }
  }
}

// Nobody moves to where a reader knows them to be, grabs what is held or drops what is not.
RC_GTEST_PROP(BabiGenerator, NothingImpossibleHappens, (std::int64_t seed)) {
  const Dataset dataset = Generate(3, {.train_examples = 7, .test_examples = 50, .seed = seed});
  for (const Example& example : dataset.splits.at(Split::kTest)) {
    std::map<std::string, std::string> places;
    std::map<std::string, std::string> holders;
    for (const ReadStatement& statement : ReadStory(example.tokens)) {
      if (statement.action == "move") {
        RC_ASSERT(places[statement.actor] != statement.noun);
        places[statement.actor] = statement.noun;
      } else if (statement.action == "grab") {
        RC_ASSERT(holders[statement.noun].empty());
        holders[statement.noun] = statement.actor;
      } else {
        RC_ASSERT(holders[statement.noun] == statement.actor);
        holders[statement.noun].clear();
      }
    }
  }
}

// The evidence is whole statements; a grab or drop of the object asked about, and moves; it ends with the answer, and
// alone it gives the answer.
RC_GTEST_PROP(BabiGenerator, EvidenceIsTheSupportingStatements, (std::int64_t seed)) {
  for (const int task : kTasks) {
    const Dataset dataset = Generate(task, {.train_examples = 7, .test_examples = 50, .seed = seed});
    for (const Example& example : dataset.splits.at(Split::kTest)) {
      const std::vector<ReadStatement> statements = ReadStory(example.tokens);
      const std::vector<std::size_t> evidence = EvidenceStatements(example, statements);
      RC_ASSERT(static_cast<int>(evidence.size()) == task);
      int handlings = 0;
      std::set<std::string> places;
      std::set<std::string> actors;
      for (const std::size_t i : evidence) {
        actors.insert(statements[i].actor);
        if (statements[i].action == "move") {
          places.insert(statements[i].noun);
        } else {
          ++handlings;
          RC_ASSERT(statements[i].noun == example.second_tokens.at(3));
        }
      }
      RC_ASSERT(handlings == (task == 1 ? 0 : 1));
      RC_ASSERT(actors.size() == 1u);
      RC_ASSERT(places.count(LabelName(dataset, example)) == 1u);
      if (task == 3) RC_ASSERT(places.count(example.second_tokens.at(6)) == 1u);
    }
  }
}

// An example as a line of the original format, and what the importer makes of it.
TEST(BabiGenerator, ExamplesAreWhatTheImporterWouldRead) {
  for (const int task : kTasks) {
    const Dataset dataset = Generate(task, {.train_examples = 7, .test_examples = 100});
    for (const Example& example : dataset.splits.at(Split::kTest)) {
      std::string text = "1 ";
      int line = 1;
      for (const std::string& token : example.tokens) {
        text += token == "." ? ".\n" + std::to_string(++line) : token;
        text += " ";
      }
      text += ".\n" + std::to_string(line + 1);
      for (const std::string& word : example.second_tokens) text += " " + word;
      text += "? \t" + LabelName(dataset, example) + "\t1\n";
      ImportReport report;
      const auto questions = ParseBabi(text, "generated", report);
      ASSERT_TRUE(report.problems().empty()) << report.ToStatus() << text;
      ASSERT_EQ(questions.size(), 1);
      EXPECT_EQ(questions.front().story, example.tokens);
      EXPECT_EQ(questions.front().question, example.second_tokens);
    }
  }
}

TEST(Generators, AreFoundByNameAndDiffer) {
  ASSERT_EQ(Generators().size(), 3);
  for (const Generator& generator : Generators()) EXPECT_EQ(FindGenerator(generator.name), &generator);
  EXPECT_EQ(FindGenerator("babi-1"), nullptr);
  EXPECT_EQ(FindGenerator("babi-gen-2")->generate({.train_examples = 20}), GenerateBabi(2, {.train_examples = 20}));
}

}  // namespace
}  // namespace roar::datasets
