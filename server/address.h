#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace roar::server {

struct HostPort {
  std::string host;
  int port = 0;
};

// "HOST:PORT", "[IPv6]:PORT". InvalidArgument for anything else.
absl::StatusOr<HostPort> ParseHostPort(const std::string& text);
std::string Format(const HostPort& address);

}  // namespace roar::server
