#include "server/address.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace roar::server {

absl::StatusOr<HostPort> ParseHostPort(const std::string& text) {
  HostPort address;
  const std::size_t colon = text.rfind(':');
  const bool has_port = colon != std::string::npos && absl::SimpleAtoi(text.substr(colon + 1), &address.port) &&
                        address.port >= 0 && address.port <= 65535;
  if (has_port) address.host = text.substr(0, colon);
  const bool bracketed = address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']';
  if (bracketed) address.host = address.host.substr(1, address.host.size() - 2);
  const bool plain_ipv6 = !bracketed && address.host.find(':') != std::string::npos;
  if (address.host.empty() || plain_ipv6) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "' is no HOST:PORT (or [IPv6]:PORT)"));
  }
  return address;
}

std::string Format(const HostPort& address) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  return absl::StrCat(ipv6 ? "[" : "", address.host, ipv6 ? "]:" : ":", address.port);
}

}  // namespace roar::server
