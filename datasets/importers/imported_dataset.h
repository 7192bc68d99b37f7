#pragma once

#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace roar::datasets {

// What an importer made, and what the person who asked for it should know: which columns were read, what was left out,
// what looks odd. A remark is one line.
struct ImportedDataset {
  Dataset dataset;
  std::vector<std::string> remarks;
};

// The remark of those that take the validation split from train.
inline constexpr char kValidationRemark[] =
    "validation: 15 % of train, by a shuffle that is always the same (the source has none)";

}  // namespace roar::datasets
