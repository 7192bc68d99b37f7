#include "client/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roar {
namespace {

using ::testing::HasSubstr;

TEST(AddressTest, AcceptsHostsIpAddressesAndSockets) {
  for (const std::string address : {"localhost:7777", "10.0.0.1:1", "node-3.cluster_a.example:65535", "[::1]:7777",
                                    "[fe80::1%eth0]:80", "unix:/run/roar/socket"}) {
    const auto parsed = ParseAddress(address);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, address);
  }
}

TEST(AddressTest, RefusesWithWhatWouldBeRight) {
  const std::pair<std::string, std::string> refused[] = {
      {"::1", "[::1]:PORT"},
      {"fe80::1:7777", "brackets"},
      {"localhost", "port is missing"},
      {"[::1]", "port is missing"},
      {"", "port is missing"},
      {"localhost:", "1 to 65535"},
      {"localhost:0", "1 to 65535"},
      {"localhost:65536", "1 to 65535"},
      {"localhost:http", "1 to 65535"},
      {"localhost:+80", "1 to 65535"},
      {":80", "no host"},
      {"http://host:80", "without a scheme"},
      {"a host:80", "no host"},
      {"[localhost]:80", "no host"},
      {"unix:socket", "absolute"},
      {"unix:", "absolute"},
      {"unix:/" + std::string(200, 'a'), "107 bytes"},
  };
  for (const auto& [address, hint] : refused) {
    const auto parsed = ParseAddress(address);
    EXPECT_TRUE(absl::IsInvalidArgument(parsed.status())) << address;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(hint)) << address;
  }
}

}  // namespace
}  // namespace roar
