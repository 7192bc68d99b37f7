#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/ml/tiny_data.h"
#include "worker/ml/run_job.h"

namespace roar::ml {
namespace {

using Tokens = std::vector<std::int32_t>;

// A document of the twin: the words it holds, and its label.
struct Document {
  std::set<std::int32_t> words;
  std::int32_t label = 0;
};

// The documents that are counted, the added ones among them.
std::vector<Document> Documents(const EncodedDataset& dataset) {
  std::vector<Document> documents;
  for (const EncodedExample& example : dataset.splits.at(Split::kTrain)) {
    documents.push_back({{example.tokens.begin(), example.tokens.end()}, example.label});
  }
  for (std::int32_t label = 0; label < dataset.class_count; ++label) {
    Document& added = documents.emplace_back();
    added.label = label;
    for (std::int32_t word = 0; word < dataset.vocabulary_size; ++word) added.words.insert(word);
  }
  return documents;
}

// The definition, by looking at every document for every cell of the table of (word present, label equal).
double SlowScore(const std::vector<Document>& documents, std::int32_t word, std::int32_t class_count) {
  const auto all = static_cast<double>(documents.size());
  double score = 0;
  for (std::int32_t label = 0; label < class_count; ++label) {
    double information = 0;
    double share_of_label = 0;
    for (const bool present : {false, true}) {
      for (const bool equal : {false, true}) {
        double both = 0, with_present = 0, with_equal = 0;
        for (const Document& document : documents) {
          const bool is_present = document.words.contains(word) == present;
          const bool is_equal = (document.label == label) == equal;
          both += is_present && is_equal ? 1 : 0;
          with_present += is_present ? 1 : 0;
          with_equal += is_equal ? 1 : 0;
        }
        if (equal) share_of_label = with_equal / all;
        if (both > 0) information += both / all * std::log2((both / all) / (with_present / all * with_equal / all));
      }
    }
    score += share_of_label * information;
  }
  return score;
}

// Two classes with a document each, of one word. With the added ones word 5 is in 3 of 4 documents, 2 of them of class
// 0: 2/4 log2(2 4 / (3 2)) + 1/4 log2(1 4 / (3 2)) + 1/4 log2(1 4 / (1 2)) bits, for either label.
TEST(MutualInformation, OfAnExampleByHand) {
  EncodedDataset dataset{.splits = {}, .vocabulary_size = 8, .class_count = 2};
  dataset.splits[Split::kTrain] = {{{kCls, 5, 5, kEos}, {}, 0}, {{kCls, 6, kEos}, {}, 1}};
  dataset.splits[Split::kValidation] = {{{kCls, 7, 6, 5, kEos}, {}, 0}};
  dataset.splits[Split::kTest] = {{{kCls, kEos}, {}, 1}};
  const auto scores = ExplainData(Measure::kMutualInformation, dataset);
  ASSERT_TRUE(scores.ok()) << scores.status();
  const float expected = 0.31127812F;
  EXPECT_THAT(scores->at(Split::kTrain)[0], testing::ElementsAre(0, expected, expected, 0));
  // Word 7 is in both added documents only, and says nothing.
  EXPECT_THAT(scores->at(Split::kValidation)[0], testing::ElementsAre(0, 0, expected, expected, 0));
  EXPECT_THAT(scores->at(Split::kTest)[0], testing::ElementsAre(0, 0));
}

RC_GTEST_PROP(MutualInformationProperty, EqualsTheSlowTwin, ()) {
  const auto class_count = *rc::gen::inRange<std::int64_t>(1, 5);
  EncodedDataset dataset{.splits = {}, .vocabulary_size = 10, .class_count = class_count};
  for (const Split split : kAllSplits) {
    const auto seed = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
    dataset.splits[split] = RandomExamples(seed, *rc::gen::inRange<std::int64_t>(1, 15), 10, class_count);
  }
  const auto scores = ExplainData(Measure::kMutualInformation, dataset);
  RC_ASSERT(scores.ok());
  const std::vector<Document> documents = Documents(dataset);
  for (const auto& [split, examples] : dataset.splits) {
    RC_ASSERT(scores->at(split).size() == examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const Tokens& tokens = examples[i].tokens;
      const std::vector<float>& of_example = scores->at(split)[i];
      RC_ASSERT(of_example.size() == tokens.size());
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        const bool is_special = tokens[t] < kMask;
        const double expected =
            is_special ? 0 : SlowScore(documents, tokens[t], static_cast<std::int32_t>(class_count));
        RC_ASSERT(std::abs(of_example[t] - expected) < 1e-6);
      }
    }
  }
}

// Each measure that needs no model is computed as itself, and no other is taken for one.
TEST(ExplainData, KnowsTheMeasuresThatNeedNoModel) {
  for (const std::string_view name : MeasureNames()) {
    const Measure measure = *MeasureFromName(name);
    const bool is_of_data = NeedsExplanation(measure) && !NeedsModel(measure);
    EXPECT_EQ(ExplainData(measure, RandomDataset(1)).ok(), is_of_data) << name;
  }
}

TEST(MutualInformation, RefusesDataThatCannotBeCounted) {
  EncodedDataset dataset = RandomDataset(1);
  dataset.splits[Split::kTrain].front().label = 3;
  EXPECT_EQ(ExplainData(Measure::kMutualInformation, dataset).status().code(), absl::StatusCode::kInvalidArgument);
  dataset = RandomDataset(1);
  dataset.splits[Split::kTest].back().tokens.push_back(12);
  EXPECT_EQ(ExplainData(Measure::kMutualInformation, dataset).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace roar::ml
