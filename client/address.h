#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace roar {

// Checks an address that a person wrote: unix:/PATH, HOST:PORT, IPv4:PORT or [IPv6]:PORT. Returns it unchanged.
// InvalidArgument says what is wrong and what would be right: an IPv6 address without brackets, a relative or overlong
// socket path (the system allows 107 bytes), a port that is missing or outside 1..65535.
absl::StatusOr<std::string> ParseAddress(const std::string& text);

}  // namespace roar
