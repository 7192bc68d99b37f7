#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ml/fresh_session.h"
#include "tests/ml/tiny_data.h"
#include "tests/support/temporary_folder.h"
#include "worker/ml/chunk_sizes.h"

namespace roar::ml {
namespace {

// The scores of all shards together; each example's are of one.
Scores Together(const EncodedDataset& dataset, std::int64_t count, const std::filesystem::path& checkpoint) {
  Scores together;
  for (const auto& [split, examples] : dataset.splits) together[split].resize(examples.size());
  for (std::int64_t index = 0; index < count; ++index) {
    const auto scores =
        Explain(TinySpec(), dataset, {{Measure::kIntegratedGradient}, {index, count}}, checkpoint, nullptr);
    EXPECT_TRUE(scores.ok()) << scores.status();
    for (const auto& [split, of_split] : *scores) {
      EXPECT_EQ(of_split.size(), together[split].size());
      for (std::size_t i = 0; i < of_split.size(); ++i) {
        if (of_split[i].empty()) continue;
        EXPECT_TRUE(together[split][i].empty()) << "an example of two shards";
        together[split][i] = of_split[i];
      }
    }
  }
  return together;
}

// The example indices of a split that the shard explains.
std::vector<std::size_t> Explained(const Scores& scores, Split split) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < scores.at(split).size(); ++i) {
    if (!scores.at(split)[i].empty()) indices.push_back(i);
  }
  return indices;
}

// Which texts are explained together is part of what their scores are, and so is how many are evaluated or integrated
// together. When this fails, bump the versions of the job kinds in core/experiment/job_key.cc in the same commit.
TEST(Chunks, HaveNotMoved) {
  EXPECT_EQ(kMostTextsEvaluated, 64u);
  EXPECT_EQ(kMostTextsExplained, 32u);
  EXPECT_EQ(kMostTextsIntegrated, 4u);
  EXPECT_EQ(kMostTokensAtOnce, 16'384);

  const TemporaryFolder folder;
  const std::filesystem::path checkpoint = folder.path() / "checkpoint";
  const EncodedDataset dataset = RandomDataset(1);
  ASSERT_TRUE(Train(TinySpec(), dataset, checkpoint, nullptr).ok());
  // 70 texts a split are chunks of the 32 shortest, the 32 next and the 6 longest: chunk 2 is the longest of the train
  // split, chunk 5 of the validation split, chunk 8 of the test split.
  const auto scores = Explain(TinySpec(), dataset, {{Measure::kGradient}, {2, 9}}, checkpoint, nullptr);
  ASSERT_TRUE(scores.ok()) << scores.status();
  const std::vector<EncodedExample>& train = dataset.splits.at(Split::kTrain);
  std::vector<std::size_t> order(train.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return train[i].tokens.size(); });
  std::vector<std::size_t> longest(order.end() - 6, order.end());
  std::ranges::sort(longest);
  EXPECT_EQ(Explained(*scores, Split::kTrain), longest);
  EXPECT_THAT(Explained(*scores, Split::kValidation), testing::IsEmpty());
  EXPECT_THAT(Explained(*scores, Split::kTest), testing::IsEmpty());
}

// 9 chunks: some shards of 8 have two, others one.
TEST(Shard, AllTogetherAreTheWholeToTheBit) {
  const TemporaryFolder folder;
  const std::filesystem::path checkpoint = folder.path() / "checkpoint";
  for (const std::int64_t seed : {1, 2}) {
    const EncodedDataset dataset = RandomDataset(seed);
    ASSERT_TRUE(Train(TinySpec(), dataset, checkpoint, nullptr).ok());
    const auto whole = Explain(TinySpec(), dataset, {{Measure::kIntegratedGradient}, {}}, checkpoint, nullptr);
    ASSERT_TRUE(whole.ok()) << whole.status();
    for (std::int64_t count = 1; count <= 8; ++count) {
      EXPECT_EQ(Together(dataset, count, checkpoint), *whole) << count << " shards";
    }
  }
}

TEST(Shard, BeyondTheLastChunkIsEmptyAndBeyondTheCountIsAnError) {
  const TemporaryFolder folder;
  const std::filesystem::path checkpoint = folder.path() / "checkpoint";
  const EncodedDataset dataset = RandomDataset(3);
  ASSERT_TRUE(Train(TinySpec(), dataset, checkpoint, nullptr).ok());
  const auto empty = Explain(TinySpec(), dataset, {{Measure::kGradient}, {99, 100}}, checkpoint, nullptr);
  ASSERT_TRUE(empty.ok()) << empty.status();
  for (const auto& [split, scores] : *empty) EXPECT_EQ(scores, std::vector<std::vector<float>>(70));
  for (const Shard& shard : {Shard{2, 2}, Shard{-1, 2}, Shard{0, 0}}) {
    const auto refused = Explain(TinySpec(), dataset, {{Measure::kGradient}, shard}, checkpoint, nullptr);
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace roar::ml
