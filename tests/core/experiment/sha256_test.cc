#include "core/experiment/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace roar {
namespace {

struct DigestCase {
  std::string bytes;
  const char* hex;
};

// The empty message, the three examples of FIPS 180-2 appendix B, and a message of one zero byte.
const DigestCase kDigests[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {std::string(1, '\0'), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
};

TEST(Sha256Hex, KnownAnswers) {
  for (const DigestCase& c : kDigests) EXPECT_EQ(Sha256Hex(c.bytes), c.hex) << c.bytes.size() << " bytes";
}

TEST(IsSha256Hex, TakesItsOwnDigestsAndNoOtherSpelling) {
  const std::string hex = Sha256Hex("abc");
  EXPECT_TRUE(IsSha256Hex(hex));
  EXPECT_FALSE(IsSha256Hex(""));
  EXPECT_FALSE(IsSha256Hex(hex.substr(1)));
  EXPECT_FALSE(IsSha256Hex(hex + "0"));
  for (char other : {'A', 'F', 'g', '/', ':', '`', ' ', '\0'}) {
    std::string misspelt = hex;
    misspelt.front() = other;
    EXPECT_FALSE(IsSha256Hex(misspelt)) << misspelt;
  }
}

}  // namespace
}  // namespace roar
