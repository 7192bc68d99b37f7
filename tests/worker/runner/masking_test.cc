#include "worker/runner/masking.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "datasets/text/vocabulary.h"
#include "tests/worker/runner/tiny_dataset.h"

namespace roar::runner {
namespace {

using testing::HasSubstr;

ml::EncodedDataset Encoded() {
  const datasets::Dataset dataset = TinyDataset();
  const auto vocabulary = datasets::Vocabulary::FromTrainSplit(dataset);
  ml::EncodedDataset encoded = {.vocabulary_size = vocabulary.size(), .class_count = 3};
  for (const auto& [split, examples] : dataset.splits) {
    for (const datasets::Example& example : examples) {
      encoded.splits[split].push_back(
          {vocabulary.Encode(example.tokens), vocabulary.Encode(example.second_tokens), example.label});
    }
  }
  return encoded;
}

std::int64_t Count(const std::vector<std::int32_t>& tokens, std::int32_t token) {
  return std::count(tokens.begin(), tokens.end(), token);
}

// Calls check(unmasked example, masked example) for every example of every split.
template <typename Check>
void ForEachPair(const ml::EncodedDataset& unmasked, const ml::EncodedDataset& masked, const Check& check) {
  ASSERT_EQ(unmasked.splits.size(), masked.splits.size());
  for (const auto& [split, examples] : unmasked.splits) {
    ASSERT_EQ(examples.size(), masked.splits.at(split).size());
    for (std::size_t i = 0; i < examples.size(); ++i) check(examples[i], masked.splits.at(split)[i]);
  }
}

ml::EncodedDataset MaskedBy(const Mask& mask, const ml::EncodedDataset& unmasked) {
  const absl::StatusOr<MaskingOrder> order = OrderOf(mask, unmasked, std::nullopt);
  EXPECT_TRUE(order.ok()) << order.status();
  return ApplyMask(unmasked, *order);
}

TEST(ApplyMask, NoneChangesNothing) {
  const ml::EncodedDataset unmasked = Encoded();
  ForEachPair(unmasked, MaskedBy(NoMask{}, unmasked),
              [](const auto& before, const auto& after) { EXPECT_EQ(before.tokens, after.tokens); });
}

TEST(ApplyMask, AllLeavesOnlySpecialTokensAndTheSecondSequence) {
  const ml::EncodedDataset unmasked = Encoded();
  ForEachPair(unmasked, MaskedBy(AllMasked{}, unmasked), [](const auto& before, const auto& after) {
    EXPECT_EQ(Count(after.tokens, masks::kMaskTokenId), static_cast<std::int64_t>(before.tokens.size()) - 2);
    EXPECT_EQ(after.tokens.front(), before.tokens.front());
    EXPECT_EQ(after.tokens.back(), before.tokens.back());
    EXPECT_EQ(after.second_tokens, before.second_tokens);
    EXPECT_EQ(after.label, before.label);
  });
}

TEST(ApplyMask, RandomAt30PercentMasksExactlyTheFloor) {
  const ml::EncodedDataset unmasked = Encoded();
  const RandomMask mask = {.amount = 30, .seed = 5};
  ForEachPair(unmasked, MaskedBy(mask, unmasked), [](const auto& before, const auto& after) {
    const auto maskable = static_cast<std::int64_t>(before.tokens.size()) - 2;
    EXPECT_EQ(Count(after.tokens, masks::kMaskTokenId), 30 * maskable / 100);
  });
}

TEST(ApplyMask, RandomIsNestedAndItsSeedMatters) {
  const ml::EncodedDataset unmasked = Encoded();
  const ml::EncodedDataset less = MaskedBy(RandomMask{.amount = 30, .seed = 5}, unmasked);
  const ml::EncodedDataset more = MaskedBy(RandomMask{.amount = 60, .seed = 5}, unmasked);
  const ml::EncodedDataset other = MaskedBy(RandomMask{.amount = 30, .seed = 6}, unmasked);
  bool differs = false;
  ForEachPair(less, more, [](const auto& before, const auto& after) {
    for (std::size_t i = 0; i < before.tokens.size(); ++i) {
      EXPECT_TRUE(before.tokens[i] != masks::kMaskTokenId || after.tokens[i] == masks::kMaskTokenId);
    }
  });
  ForEachPair(less, other, [&](const auto& a, const auto& b) { differs |= a.tokens != b.tokens; });
  EXPECT_TRUE(differs);
}

TEST(OrderOf, ARankingMustFitTheData) {
  const ml::EncodedDataset unmasked = Encoded();
  const RankedMask mask = {.amount = 10};
  EXPECT_TRUE(absl::IsInvalidArgument(OrderOf(mask, unmasked, std::nullopt).status()));
  masks::Ranking ranking = OrderOf(AllMasked{}, unmasked, std::nullopt)->ranking;
  EXPECT_TRUE(OrderOf(mask, unmasked, ranking).ok());

  masks::Ranking wrong = ranking;
  std::swap(wrong[Split::kValidation][3][0], wrong[Split::kValidation][3][1]);
  const absl::Status status = OrderOf(mask, unmasked, wrong).status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("validation example 3"));

  wrong = ranking;
  wrong[Split::kTest].pop_back();
  EXPECT_TRUE(absl::IsDataLoss(OrderOf(mask, unmasked, wrong).status()));
  ranking.erase(Split::kTest);
  EXPECT_TRUE(absl::IsDataLoss(OrderOf(mask, unmasked, ranking).status()));
}

// Scores of 0, 1, 2, ... in the text's order: the last token comes first.
ml::Scores AscendingScores(const ml::EncodedDataset& dataset) {
  ml::Scores scores;
  for (const auto& [split, examples] : dataset.splits) {
    for (const ml::EncodedExample& example : examples) {
      std::vector<float>& of_example = scores[split].emplace_back();
      for (std::size_t i = 0; i < example.tokens.size(); ++i) of_example.push_back(static_cast<float>(i));
    }
  }
  return scores;
}

TEST(RankScores, WhatIsMaskedKeepsItsRankWhateverMaskedIt) {
  const ml::EncodedDataset unmasked = Encoded();
  for (const Mask& mask : {Mask(RandomMask{.amount = 40, .seed = 1}), Mask(AllMasked{}), Mask(NoMask{})}) {
    const MaskingOrder order = *OrderOf(mask, unmasked, std::nullopt);
    const absl::StatusOr<masks::Ranking> ranking = RankScores(unmasked, AscendingScores(unmasked), order);
    ASSERT_TRUE(ranking.ok()) << ranking.status();
    const MaskingOrder next = {.ranking = *ranking, .unit = order.unit, .amount = order.amount};
    ForEachPair(ApplyMask(unmasked, order), ApplyMask(unmasked, next),
                [](const auto& before, const auto& after) { EXPECT_EQ(before.tokens, after.tokens); });
  }
}

TEST(RankScores, TheHighestScoreOfTheUnmaskedComesNext) {
  const ml::EncodedDataset unmasked = Encoded();
  const masks::Ranking ranking = *RankScores(unmasked, AscendingScores(unmasked), MaskingOrder{});
  for (const masks::Ranks& ranks : ranking.at(Split::kTrain)) {
    for (std::size_t i = 1; i + 1 < ranks.size(); ++i) EXPECT_EQ(ranks[i], static_cast<int>(ranks.size() - 1 - i));
  }
}

TEST(RankScores, MissingScoresAreNamed) {
  const ml::EncodedDataset unmasked = Encoded();
  ml::Scores scores = AscendingScores(unmasked);
  scores[Split::kTest].pop_back();
  const absl::Status status = RankScores(unmasked, scores, MaskingOrder{}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("test"));
}

TEST(CountWithoutMaskableToken, CountsEmptyTexts) {
  const auto counts = CountWithoutMaskableToken(Encoded());
  EXPECT_EQ(counts.at(Split::kTrain), 0);
  EXPECT_EQ(counts.at(Split::kTest), 1);
}

}  // namespace
}  // namespace roar::runner
