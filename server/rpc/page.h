#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"

// Lists come in pages. A token says where the next one begins; it is a number for lists by number or position, and the
// last name seen for lists by name. An empty token begins.

namespace roar::server {

inline std::int64_t PageSize(std::int32_t asked) {
  constexpr std::int32_t kDefault = 100, kMost = 1000;
  return asked <= 0 ? kDefault : std::min(asked, kMost);
}

// `first` for an empty token.
inline absl::StatusOr<std::int64_t> NumberOfToken(const std::string& token, std::int64_t first) {
  std::int64_t number = first;
  if (!token.empty() && !absl::SimpleAtoi(token, &number)) {
    return absl::InvalidArgumentError("page_token is not one of this list's");
  }
  return number;
}

}  // namespace roar::server
