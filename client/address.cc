#include "client/address.h"

#include <sys/un.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace roar {
namespace {

constexpr char kUnixPrefix[] = "unix:";

absl::Status Refused(const std::string& text, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat("address \"", text, "\": ", why));
}

absl::Status CheckSocketPath(const std::string& text) {
  const std::string path = text.substr(sizeof(kUnixPrefix) - 1);
  if (path.empty() || path[0] != '/') return Refused(text, "a Unix socket needs an absolute path: unix:/PATH");
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return Refused(text, absl::StrCat("the path is longer than the ", sizeof(sockaddr_un::sun_path) - 1,
                                      " bytes that the system allows; use a shorter one"));
  }
  return absl::OkStatus();
}

bool IsPort(const std::string& text) {
  int port = 0;
  const bool is_digits = !text.empty() && std::ranges::all_of(text, absl::ascii_isdigit);
  return is_digits && absl::SimpleAtoi(text, &port) && port >= 1 && port <= 65535;
}

bool IsHostCharacter(unsigned char c) { return absl::ascii_isalnum(c) || c == '.' || c == '-' || c == '_'; }

bool IsIpv6Character(unsigned char c) { return absl::ascii_isxdigit(c) || c == ':' || c == '.'; }

// With an optional zone: fe80::1%eth0.
bool IsIpv6(const std::string& text) {
  const std::string number = text.substr(0, text.find('%'));
  return absl::StrContains(number, ":") && std::ranges::all_of(number, IsIpv6Character) &&
         std::ranges::all_of(text.substr(number.size()), [](char c) { return c == '%' || IsHostCharacter(c); });
}

bool IsHost(const std::string& host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    return IsIpv6(host.substr(1, host.size() - 2));
  }
  return !host.empty() && std::ranges::all_of(host, IsHostCharacter);
}

}  // namespace

absl::StatusOr<std::string> ParseAddress(const std::string& text) {
  if (absl::StartsWith(text, kUnixPrefix)) {
    if (absl::Status status = CheckSocketPath(text); !status.ok()) return status;
    return text;
  }
  if (absl::StrContains(text, "/")) return Refused(text, "this is no host; write HOST:PORT, without a scheme");
  const bool has_bracket = absl::StrContains(text, "[") || absl::StrContains(text, "]");
  if (!has_bracket && std::ranges::count(text, ':') > 1) {
    return Refused(text, absl::StrCat("an IPv6 address needs brackets: [", text, "]:PORT"));
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || absl::EndsWith(text, "]")) {
    return Refused(text, "the port is missing: HOST:PORT, or unix:/PATH");
  }
  if (!IsPort(text.substr(colon + 1))) return Refused(text, "the port is not a number from 1 to 65535");
  if (!IsHost(text.substr(0, colon))) return Refused(text, "this is no host; write HOST:PORT, or unix:/PATH");
  return text;
}

}  // namespace roar
