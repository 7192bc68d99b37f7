#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "client/coordinator.h"

namespace roar {

// How a person names a sweep: its number, its name (the newest of that name), or `last` for the newest of all.
struct LastSweep {
  bool operator==(const LastSweep&) const = default;
};
using SweepSelector = std::variant<LastSweep, std::int64_t, std::string>;

// InvalidArgument: empty, or a number that none has (0, or too large). A number with a leading zero is a name.
absl::StatusOr<SweepSelector> ParseSweepSelector(const std::string& text);

// The number of the sweep that the text names. NotFound says what to do.
absl::StatusOr<std::int64_t> FindSweep(const Coordinator& coordinator, const std::string& text);

}  // namespace roar
