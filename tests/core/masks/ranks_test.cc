#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "core/masks/ranking.h"

namespace roar::masks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Tokens = std::vector<std::int32_t>;

const Tokens kTokens = {1, 5, 6, 7, 3, 4, 5, 6, 2, 0};

struct RandomRanksCase {
  std::int64_t seed;
  Split split;
  std::int64_t example_index;
  Ranks ranks;
};

// Computed by a second implementation, in Python. The random baseline of every stored result rests on these.
const RandomRanksCase kRandomRanks[] = {
    {0, Split::kTrain, 0, {0, 5, 1, 2, 7, 6, 4, 3, 0, 0}},      {1, Split::kTrain, 0, {0, 5, 1, 2, 3, 7, 4, 6, 0, 0}},
    {0, Split::kValidation, 0, {0, 7, 6, 1, 5, 2, 3, 4, 0, 0}}, {0, Split::kTest, 0, {0, 3, 1, 2, 7, 6, 4, 5, 0, 0}},
    {0, Split::kTrain, 1, {0, 7, 2, 3, 4, 1, 5, 6, 0, 0}},      {4, Split::kTest, 999, {0, 4, 2, 6, 5, 7, 3, 1, 0, 0}},
};

TEST(RandomRanks, AreFrozen) {
  for (const RandomRanksCase& c : kRandomRanks) {
    EXPECT_EQ(RandomRanks(kTokens, c.seed, c.split, c.example_index), c.ranks);
  }
}

TEST(RandomRanks, DoNotDependOnWhatWasRankedBefore) {
  for (auto c = std::rbegin(kRandomRanks); c != std::rend(kRandomRanks); ++c) {
    RandomRanks(Tokens(100, 9), 3, Split::kTest, 3);
    EXPECT_EQ(RandomRanks(kTokens, c->seed, c->split, c->example_index), c->ranks);
  }
}

TEST(RandomRanks, DoNotDependOnTheWordsOrOnPadding) {
  Tokens tokens = {1, 100, 200, 300, 400, 500, 600, 700, 2};
  const Ranks ranks = RandomRanks(tokens, 0, Split::kTrain, 0);
  EXPECT_THAT(ranks, ElementsAre(0, 5, 1, 2, 7, 6, 4, 3, 0));
}

// Each of 4 tokens is first in about a quarter of 4,000 examples; the standard deviation of that count is 27.
TEST(RandomRanks, FavourNoPosition) {
  std::vector<int> first_count(4, 0);
  for (std::int64_t example = 0; example < 4000; ++example) {
    const Ranks ranks = RandomRanks(Tokens(4, 9), 0, Split::kTrain, example);
    ++first_count[static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), 1) - ranks.begin())];
  }
  for (int count : first_count) EXPECT_NEAR(count, 1000, 150);
}

RC_GTEST_PROP(RandomRanksProperty, PassTheCheck, ()) {
  const Tokens tokens = *rc::gen::container<Tokens>(rc::gen::inRange<std::int32_t>(0, 9));
  const Ranks ranks = RandomRanks(tokens, *rc::gen::arbitrary<std::int64_t>(), Split::kTrain, 0);
  RC_ASSERT(CheckRanks(ranks, tokens).ok());
}

TEST(ApplyRanks, MasksByCountAndLeavesTheRest) {
  Tokens tokens = {1, 5, 6, 7, 2};
  ApplyRanks(Ranks{0, 3, 1, 2, 0}, MaskUnit::kCount, 2, tokens);
  EXPECT_THAT(tokens, ElementsAre(1, 5, 3, 3, 2));
  ApplyRanks(Ranks{0, 3, 1, 2, 0}, MaskUnit::kCount, 50, tokens);
  EXPECT_THAT(tokens, ElementsAre(1, 3, 3, 3, 2));
}

TEST(ApplyRanks, NothingAtZero) {
  Tokens tokens = kTokens;
  ApplyRanks(kRandomRanks[0].ranks, MaskUnit::kRatioPercent, 0, tokens);
  ApplyRanks(kRandomRanks[0].ranks, MaskUnit::kCount, 0, tokens);
  EXPECT_EQ(tokens, kTokens);
}

TEST(MaskAll, EqualsAHundredPercent) {
  Tokens all = kTokens;
  MaskAll(all);
  EXPECT_THAT(all, ElementsAre(1, 3, 3, 3, 3, 3, 3, 3, 2, 0));
  Tokens by_ranks = kTokens;
  ApplyRanks(kRandomRanks[0].ranks, MaskUnit::kRatioPercent, 100, by_ranks);
  EXPECT_EQ(by_ranks, all);
}

struct DamageCase {
  const char* name;
  Ranks ranks;
  const char* message;
};

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();

// Of the tokens [CLS] word word [EOS].
const DamageCase kDamage[] = {
    {"too short", {0, 1, 2}, "3 ranks for 4 tokens"},
    {"too long", {0, 1, 2, 0, 0}, "5 ranks for 4 tokens"},
    {"missing", {}, "0 ranks for 4 tokens"},
    {"special token ranked", {1, 2, 0, 0}, "rank 1 at position 0, which holds a special token"},
    {"word without a rank", {0, 1, 0, 0}, "rank 0 at position 2 is not in 1..2"},
    {"rank twice", {0, 1, 1, 0}, "rank 1 at position 2 is there twice"},
    {"rank above n", {0, 1, 3, 0}, "rank 3 at position 2 is not in 1..2"},
    {"negative rank", {0, -1, 1, 0}, "rank -1 at position 1 is not in 1..2"},
    {"largest integer", {0, kLargest, 1, 0}, "at position 1 is not in 1..2"},
    {"smallest integer", {0, kSmallest, 1, 0}, "at position 1 is not in 1..2"},
    {"shifted by one", {1, 2, 0, 0}, "position 0"},
};

TEST(CheckRanks, RefusesEveryKindOfDamageAndNamesIt) {
  const Tokens tokens = {1, 8, 9, 2};
  ASSERT_TRUE(CheckRanks(Ranks{0, 2, 1, 0}, tokens).ok());
  for (const DamageCase& c : kDamage) {
    const absl::Status status = CheckRanks(c.ranks, tokens);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << c.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.name;
  }
}

RC_GTEST_PROP(CheckRanksProperty, AnyOneChangedRankIsFound, ()) {
  const Tokens tokens = *rc::gen::nonEmpty(rc::gen::container<Tokens>(rc::gen::inRange<std::int32_t>(0, 9)));
  Ranks ranks = RandomRanks(tokens, 0, Split::kTrain, 0);
  const auto position = *rc::gen::inRange<std::size_t>(0, tokens.size());
  ranks[position] = *rc::gen::distinctFrom(ranks[position]);
  RC_ASSERT(!CheckRanks(ranks, tokens).ok());
}

}  // namespace
}  // namespace roar::masks
