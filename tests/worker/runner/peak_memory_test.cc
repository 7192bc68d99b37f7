#include "worker/runner/peak_memory.h"

#include <gtest/gtest.h>

#include <string>

namespace roar::runner {
namespace {

constexpr std::int64_t kManyBytes = 256'000'000;

TEST(PeakMemory, IsThatOfTheJobAndNotOfTheJobBefore) {
  ResetPeakMemory();
  const std::int64_t at_rest = PeakMemoryBytes();
  EXPECT_GT(at_rest, 1'000'000);
  volatile char seen = std::string(kManyBytes, 'x').back();
  EXPECT_EQ(seen, 'x');
  EXPECT_GE(PeakMemoryBytes(), at_rest + kManyBytes * 9 / 10);
  ResetPeakMemory();
  EXPECT_LT(PeakMemoryBytes(), at_rest + kManyBytes / 2);
}

}  // namespace
}  // namespace roar::runner
