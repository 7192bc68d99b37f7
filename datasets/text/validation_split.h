#pragma once

#include "datasets/dataset.h"

namespace roar::datasets {

// For a source without a validation split: of the shuffled train examples (stream (0, "split"), the same for every seed
// of a sweep) the first 15 %, rounded down, become it. Both splits keep the order of the source.
void TakeValidationSplit(Dataset& dataset);

}  // namespace roar::datasets
