#include "client/sweep_selector.h"

#include <gtest/gtest.h>

namespace roar {
namespace {

TEST(SweepSelectorTest, IsANumberANameOrLast) {
  EXPECT_EQ(ParseSweepSelector("last").value(), SweepSelector(LastSweep{}));
  EXPECT_EQ(ParseSweepSelector("3").value(), SweepSelector(std::int64_t{3}));
  EXPECT_EQ(ParseSweepSelector("babi-1").value(), SweepSelector(std::string("babi-1")));
  EXPECT_EQ(ParseSweepSelector("007").value(), SweepSelector(std::string("007")));
  EXPECT_EQ(ParseSweepSelector("3a").value(), SweepSelector(std::string("3a")));
  EXPECT_EQ(ParseSweepSelector("Last").value(), SweepSelector(std::string("Last")));
}

TEST(SweepSelectorTest, RefusesNumbersThatNoSweepHas) {
  for (const std::string text : {"", "0", "99999999999999999999"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseSweepSelector(text).status())) << text;
  }
}

}  // namespace
}  // namespace roar
