#include "client/output/format.h"

#include <gtest/gtest.h>

namespace roar::output {
namespace {

TEST(FormatTest, SizesOfFiles) {
  EXPECT_EQ(FileSize(0), "0.0 KB");
  EXPECT_EQ(FileSize(412), "0.4 KB");
  EXPECT_EQ(FileSize(40'260), "40.3 KB");
  EXPECT_EQ(FileSize(999'900), "999.9 KB");
  EXPECT_EQ(FileSize(1'000'000), "1.0 MB");
  EXPECT_EQ(FileSize(999'900'000), "999.9 MB");
  EXPECT_EQ(FileSize(1'234'567'890), "1.2 GB");
}

}  // namespace
}  // namespace roar::output
