#include "proto/transport/length_prefix.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace roar {
namespace {

TEST(LengthPrefix, IsFourBytesLittleEndian) {
  EXPECT_EQ(EncodeLength(0), std::string(4, '\0'));
  EXPECT_EQ(EncodeLength(0x04030201), "\x01\x02\x03\x04");
  EXPECT_EQ(DecodeLength("\xff\xff\xff\xff"), 0xffffffffU);
  EXPECT_EQ(DecodeLength("\x01\x02\x03\x04 and what follows"), 0x04030201U);
}

RC_GTEST_PROP(LengthPrefix, IsReadAsItWasWritten, (std::uint32_t length)) {
  RC_ASSERT(DecodeLength(EncodeLength(length)) == length);
}

}  // namespace
}  // namespace roar
