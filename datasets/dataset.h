#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/experiment/names.h"

namespace roar::datasets {

struct Example {
  // Words, already split; in pair tasks the first sequence is the one that is masked.
  std::vector<std::string> tokens;
  std::vector<std::string> second_tokens;
  // Index into Dataset::labels.
  std::int32_t label = 0;
  // Generated data only: positions in `tokens` of the statements that give the answer, as token indices; ground truth.
  std::vector<std::int32_t> evidence_tokens;
  bool operator==(const Example&) const = default;
};

struct Dataset {
  // Class names; an example's label is an index here. Order is part of the content.
  std::vector<std::string> labels;
  bool has_second_sequence = false;
  std::map<Split, std::vector<Example>> splits;
  bool operator==(const Dataset&) const = default;
};

}  // namespace roar::datasets
