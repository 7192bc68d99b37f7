#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "datasets/dataset.h"

namespace roar::datasets {

struct SplitSummary {
  std::int64_t examples = 0;
  // Number of examples by class name; classes without any are left out.
  std::map<std::string, std::int64_t> labels;
  // Of the first sequence, in words; 0 for an empty split.
  double mean_tokens = 0;
  std::int64_t longest_tokens = 0;
};

// What a person wants to see of a data set before using it.
std::map<Split, SplitSummary> Summarize(const Dataset& dataset);

}  // namespace roar::datasets
