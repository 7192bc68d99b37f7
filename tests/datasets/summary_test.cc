#include "datasets/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roar::datasets {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Summary, CountsExamplesLabelsAndTokensPerSplit) {
  Dataset dataset = {.labels = {"no", "yes", "never"}};
  dataset.splits[Split::kTrain] = {
      {.tokens = {"a", "b", "c"}, .label = 1}, {.tokens = {}, .label = 0}, {.tokens = {"a"}, .label = 1}};
  dataset.splits[Split::kTest] = {};
  const std::map<Split, SplitSummary> summary = Summarize(dataset);
  ASSERT_EQ(summary.size(), 2);
  const SplitSummary& train = summary.at(Split::kTrain);
  EXPECT_EQ(train.examples, 3);
  EXPECT_THAT(train.labels, ElementsAre(Pair("no", 1), Pair("yes", 2)));
  EXPECT_DOUBLE_EQ(train.mean_tokens, 4.0 / 3);
  EXPECT_EQ(train.longest_tokens, 3);
  const SplitSummary& test = summary.at(Split::kTest);
  EXPECT_EQ(test.examples, 0);
  EXPECT_EQ(test.mean_tokens, 0);
  EXPECT_TRUE(test.labels.empty());
}

}  // namespace
}  // namespace roar::datasets
