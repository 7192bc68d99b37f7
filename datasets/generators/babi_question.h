#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/random_stream.h"
#include "datasets/generators/babi_world.h"

namespace roar::datasets {

struct BabiInquiry {
  // Without the question mark.
  std::string text;
  // A place.
  std::string answer;
  // Positions among the statements, in bAbI's order: the grab or drop (tasks 2 and 3), then the moves, the latest
  // first.
  std::vector<std::size_t> support;
};

// A question that what was told so far answers, about something among the last five statements; nothing when no
// question of this task can be asked. `statements` is not empty.
std::optional<BabiInquiry> Ask(int task, const std::vector<BabiStatement>& statements, RandomStream& random);

}  // namespace roar::datasets
