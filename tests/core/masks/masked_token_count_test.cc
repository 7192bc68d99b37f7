#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/masks/ranking.h"

namespace roar::masks {
namespace {

std::int64_t AtRatio(std::int64_t percent, std::int64_t n) {
  return MaskedTokenCount(MaskUnit::kRatioPercent, percent, n);
}

// m = floor(percent * n / 100) exactly when 100 m <= percent * n < 100 (m + 1).
TEST(MaskedTokenCount, RatioIsTheExactFloorForEveryPercentAndLength) {
  for (std::int64_t percent = 0; percent <= 100; ++percent) {
    for (std::int64_t n = 0; n <= 5000; ++n) {
      const std::int64_t m = AtRatio(percent, n);
      ASSERT_LE(100 * m, percent * n) << percent << " % of " << n;
      ASSERT_LT(percent * n, 100 * (m + 1)) << percent << " % of " << n;
    }
  }
}

// Why the count is not taken in floating point: 0.7 is stored below 7/10.
TEST(MaskedTokenCount, DoublesWouldLoseATokenAtSeventyPercent) {
  const auto in_doubles = [](std::int64_t percent, std::int64_t n) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(percent) / 100.0 * static_cast<double>(n)));
  };
  for (std::int64_t n : {90, 170, 180, 330}) {
    EXPECT_EQ(AtRatio(70, n), 7 * n / 10);
    EXPECT_EQ(in_doubles(70, n), 7 * n / 10 - 1) << n;
  }
  int wrong = 0;
  for (std::int64_t n = 0; n < 5000; ++n) wrong += in_doubles(70, n) != AtRatio(70, n);
  EXPECT_EQ(wrong, 70);
}

TEST(MaskedTokenCount, CountIsTheCountUntilEverythingIsMasked) {
  for (std::int64_t n = 0; n <= 60; ++n) {
    for (std::int64_t count = 0; count <= 60; ++count) {
      ASSERT_EQ(MaskedTokenCount(MaskUnit::kCount, count, n), count < n ? count : n);
    }
  }
}

struct SpecialsCase {
  std::int64_t words;
  std::int64_t percent;
  std::int64_t masked;
  std::int64_t masked_if_specials_counted;
};

// Documents of so many words between two special tokens. Counting those in n masks too many words.
constexpr SpecialsCase kSpecialsCases[] = {
    {1, 10, 0, 0}, {1, 50, 0, 1},   {1, 90, 0, 2},  {1, 100, 1, 3},  {3, 10, 0, 0},    {3, 50, 1, 2},
    {3, 90, 2, 4}, {3, 100, 3, 5},  {4, 10, 0, 0},  {4, 50, 2, 3},   {4, 90, 3, 5},    {4, 100, 4, 6},
    {8, 10, 0, 1}, {8, 50, 4, 5},   {8, 90, 7, 9},  {8, 100, 8, 10}, {9, 10, 0, 1},    {9, 50, 4, 5},
    {9, 90, 8, 9}, {9, 100, 9, 11}, {18, 10, 1, 2}, {18, 50, 9, 10}, {18, 90, 16, 18}, {18, 100, 18, 20},
};

TEST(MaskedTokenCount, SpecialTokensAreNeitherCountedNorMasked) {
  constexpr std::int32_t kCls = 1, kEos = 2, kPad = 0, kWord = 7;
  for (const SpecialsCase& c : kSpecialsCases) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(c.words), kWord);
    tokens.insert(tokens.begin(), kCls);
    tokens.insert(tokens.end(), {kEos, kPad, kPad});
    const Ranks ranks = RandomRanks(tokens, 0, Split::kTrain, 0);

    std::vector<std::int32_t> masked = tokens;
    ApplyRanks(ranks, MaskUnit::kRatioPercent, c.percent, masked);

    EXPECT_EQ(std::count(masked.begin(), masked.end(), kMaskTokenId), c.masked) << c.words << " at " << c.percent;
    EXPECT_EQ(masked.front(), kCls);
    EXPECT_EQ(std::vector<std::int32_t>(masked.end() - 3, masked.end()), (std::vector<std::int32_t>{kEos, kPad, kPad}));
    EXPECT_EQ(AtRatio(c.percent, c.words + 2), c.masked_if_specials_counted);
  }
}

}  // namespace
}  // namespace roar::masks
