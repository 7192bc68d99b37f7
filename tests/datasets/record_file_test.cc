#include "datasets/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/canonical.h"

namespace roar::datasets {
namespace {

using ::testing::HasSubstr;

TEST(Decompress, TakesContentUpToTheLimitAndNoByteMore) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{1} << 16, (std::size_t{1} << 16) + 1, std::size_t{5} << 20}) {
    const std::string content(size, 'x');
    const std::string frame = Compress(content);
    EXPECT_EQ(*Decompress(frame, size), content);
    EXPECT_EQ(*Decompress(frame, size + 1), content);
    EXPECT_TRUE(absl::IsDataLoss(Decompress(frame, size - 1).status())) << size;
  }
  EXPECT_EQ(*Decompress(Compress(""), 0), "");
}

// A few kilobytes that stand for 64 MiB: what they would unpack to is refused, not what they promise.
TEST(Decompress, ASmallFrameOfAlmostEndlessContentIsRefused) {
  const std::string frame = Compress(std::string(std::size_t{64} << 20, '\0'));
  ASSERT_LT(frame.size(), std::size_t{1} << 16);
  EXPECT_THAT(std::string(Decompress(frame, 1 << 20).status().message()), HasSubstr("hold more than 1048576 bytes"));
}

TEST(CheckSize, RefusesWhatDecodeWouldNotTake) {
  EXPECT_TRUE(CheckSize({.content_bytes = kContentBytesMost}).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(CheckSize({.content_bytes = kContentBytesMost + 1})));
  const CanonicalDataset encoded = Encode({.labels = {"a", "b"}});
  EXPECT_EQ(encoded.content_bytes, Decompress(encoded.bytes, kContentBytesMost)->size());
}

}  // namespace
}  // namespace roar::datasets
