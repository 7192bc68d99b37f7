#pragma once

#include "absl/status/statusor.h"
#include "datasets/dataset.h"
#include "datasets/generators/generators.h"

namespace roar::datasets {

// Stories like those of bAbI task 1, 2 or 3, five questions each, as the importer would read them, with the tokens of
// the supporting statements as evidence. Story i of the train and of the test part is a function of (seed, task, part,
// i), so a larger data set begins with the smaller one's stories, and neither part depends on the other's size. Train
// is split like the published data. Such data is called generated, never bAbI.
absl::StatusOr<Dataset> GenerateBabi(int task, const GeneratorOptions& options);

}  // namespace roar::datasets
