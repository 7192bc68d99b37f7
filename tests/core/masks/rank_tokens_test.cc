#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "core/masks/ranking.h"
#include "tests/reference/rank_tokens.h"

namespace roar::masks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Tokens = std::vector<std::int32_t>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Few distinct ids and scores, so that special tokens and ties are frequent.
rc::Gen<Tokens> AnyTokens() { return rc::gen::container<Tokens>(rc::gen::inRange<std::int32_t>(0, 9)); }
rc::Gen<std::vector<float>> AnyScores(std::size_t size) {
  return rc::gen::container<std::vector<float>>(
      size, rc::gen::element(0.0F, -0.0F, 0.25F, 0.5F, -1.0F, 3.0F, kInfinity, -kInfinity));
}

std::int64_t CountMaskable(const Tokens& tokens) { return std::count_if(tokens.begin(), tokens.end(), IsMaskable); }

std::vector<std::size_t> MaskedPositions(const Ranks& ranks, std::int64_t percent) {
  Tokens tokens;
  for (std::int32_t rank : ranks) tokens.push_back(rank > 0 ? 7 : 0);
  ApplyRanks(ranks, MaskUnit::kRatioPercent, percent, tokens);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == kMaskTokenId) positions.push_back(i);
  }
  return positions;
}

struct MaskCase {
  std::vector<float> scores;
  std::int64_t percent;
  std::vector<std::size_t> masked;
};

const MaskCase kMaskCases[] = {
    {{0.3F}, 0, {}},
    {{0.3F}, 50, {}},
    {{0.3F}, 90, {}},
    {{0.3F}, 100, {0}},
    {{0.1F, 0.1F}, 50, {0}},
    {{0.1F, 0.1F}, 100, {0, 1}},
    {{0.5F, 0.5F, 0.5F, 0.5F, 0.5F}, 20, {0}},
    {{0.5F, 0.5F, 0.5F, 0.5F, 0.5F}, 40, {0, 1}},
    {{0.5F, 0.5F, 0.5F, 0.5F, 0.5F}, 60, {0, 1, 2}},
    {{0.0F, -0.0F, 0.0F}, 34, {0}},
    {{-0.0F, 0.0F, 0.0F}, 34, {0}},
    {{0.1F, kInfinity, 0.3F}, 34, {1}},
    {{-kInfinity, -1.0F, 0.3F}, 67, {1, 2}},
};

TEST(RankTokens, MasksTheHighestScoresAndOfEqualsTheLowerIndex) {
  for (const MaskCase& c : kMaskCases) {
    const auto ranks = RankTokens(Tokens(c.scores.size(), 5), c.scores, {}, 0);
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    EXPECT_EQ(MaskedPositions(*ranks, c.percent), c.masked) << c.scores.size() << " tokens at " << c.percent;
  }
}

TEST(RankTokens, RefusesNanOfAMaskableTokenAndNamesIt) {
  const auto ranks = RankTokens(Tokens{5, 6, 7}, std::vector<float>{0.1F, kNan, 0.3F}, {}, 0);
  EXPECT_EQ(ranks.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(ranks.status().message()), HasSubstr("position 1"));
}

TEST(RankTokens, IgnoresTheScoreOfASpecialToken) {
  const auto ranks = RankTokens(Tokens{1, 5, 6, 2, 0}, std::vector<float>{kNan, 0.1F, 0.2F, kInfinity, kNan}, {}, 0);
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  EXPECT_THAT(*ranks, ElementsAre(0, 2, 1, 0, 0));
}

TEST(RankTokens, MaskAndUnknownTokensAreMaskable) {
  const auto ranks = RankTokens(Tokens{1, 3, 4, 2}, std::vector<float>{9, 1, 2, 9}, {}, 0);
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  EXPECT_THAT(*ranks, ElementsAre(0, 2, 1, 0));
}

TEST(RankTokens, TokensMaskedAlreadyKeepTheirRanksWhateverTheyScoreNow) {
  const Tokens tokens = {1, 5, 6, 7, 8, 2};
  const Ranks previous = {0, 3, 1, 4, 2, 0};
  const auto ranks = RankTokens(tokens, std::vector<float>{0, 0.1F, -5, 9, -7, 0}, previous, 2);
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  EXPECT_THAT(*ranks, ElementsAre(0, 4, 1, 3, 2, 0));
}

TEST(RankTokens, NothingMaskableGivesNoRank) {
  const auto ranks = RankTokens(Tokens{1, 2, 0}, std::vector<float>{1, 2, 3}, {}, 0);
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  EXPECT_THAT(*ranks, ElementsAre(0, 0, 0));
  EXPECT_TRUE(RankTokens({}, {}, {}, 0).ok());
}

TEST(RankTokens, RefusesSizesThatDiffer) {
  const Tokens tokens = {5, 6, 7};
  const std::vector<float> scores = {1, 2, 3};
  EXPECT_EQ(RankTokens(tokens, std::vector<float>{1, 2}, {}, 0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RankTokens(tokens, scores, {}, 1).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(RankTokens(tokens, scores, Ranks{1, 2}, 1).status().code(), absl::StatusCode::kDataLoss);
}

TEST(RankTokens, RefusesPreviousRanksThatAreDamaged) {
  const auto ranks = RankTokens(Tokens{5, 6, 7}, std::vector<float>{1, 2, 3}, Ranks{1, 1, 2}, 1);
  EXPECT_EQ(ranks.status().code(), absl::StatusCode::kDataLoss);
}

RC_GTEST_PROP(RankTokensProperty, EqualsTheObviousTwin, ()) {
  const Tokens tokens = *AnyTokens();
  const std::int64_t already_masked = *rc::gen::inRange<std::int64_t>(0, CountMaskable(tokens) + 1);
  const Ranks previous = RandomRanks(tokens, *rc::gen::inRange<std::int64_t>(0, 100), Split::kTest, 0);
  const std::vector<float> scores = *AnyScores(tokens.size());

  const auto ranks = RankTokens(tokens, scores, previous, already_masked);

  RC_ASSERT(ranks.ok());
  RC_ASSERT(*ranks == reference::RankTokens(tokens, scores, previous, already_masked));
}

// Recursive ROAR: every step scores anew, and still each mask contains the one before, has the exact size and leaves
// the special tokens alone.
RC_GTEST_PROP(RankTokensProperty, AChainOfStepsGivesNestedMasks, ()) {
  const Tokens tokens = *AnyTokens();
  const std::int64_t n = CountMaskable(tokens);
  const std::int64_t step = *rc::gen::inRange<std::int64_t>(1, 40);
  Ranks ranks;
  Tokens masked_before = tokens;
  for (std::int64_t percent = step; percent < 100; percent += step) {
    const std::int64_t already_masked = MaskedTokenCount(MaskUnit::kRatioPercent, percent - step, n);
    const auto next = RankTokens(tokens, *AnyScores(tokens.size()), ranks, already_masked);
    RC_ASSERT(next.ok());
    ranks = *next;
    RC_ASSERT(CheckRanks(ranks, tokens).ok());

    Tokens masked = tokens;
    ApplyRanks(ranks, MaskUnit::kRatioPercent, percent, masked);
    std::int64_t masked_count = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool is_masked = ranks[i] > 0 && ranks[i] <= MaskedTokenCount(MaskUnit::kRatioPercent, percent, n);
      masked_count += is_masked;
      RC_ASSERT(masked[i] == (is_masked ? kMaskTokenId : tokens[i]));
      RC_ASSERT(!is_masked || tokens[i] >= 3);
      RC_ASSERT(masked_before[i] == tokens[i] || masked[i] == kMaskTokenId);
    }
    RC_ASSERT(masked_count == percent * n / 100);
    masked_before = masked;
  }
}

// The one ranking at the end of a chain gives back the mask of every earlier ratio.
RC_GTEST_PROP(RankTokensProperty, TheLastRankingHoldsTheWholeChain, ()) {
  const Tokens tokens = *AnyTokens();
  const std::int64_t n = CountMaskable(tokens);
  Ranks ranks;
  std::map<std::int64_t, std::vector<std::size_t>> masked_at;
  for (std::int64_t percent = 10; percent < 100; percent += 10) {
    const std::int64_t already_masked = MaskedTokenCount(MaskUnit::kRatioPercent, percent - 10, n);
    ranks = RankTokens(tokens, *AnyScores(tokens.size()), ranks, already_masked).value();
    masked_at[percent] = MaskedPositions(ranks, percent);
  }
  for (const auto& [percent, positions] : masked_at) RC_ASSERT(MaskedPositions(ranks, percent) == positions);
}

}  // namespace
}  // namespace roar::masks
