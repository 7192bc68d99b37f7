#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/coordinator.h"
#include "client/sweep_file.h"
#include "datasets/dataset.h"
#include "proto/roar/v1/dataset_service.pb.h"

namespace roar {

struct NamedDataset {
  std::string name;
  // In words: "imported from /data/babi".
  std::string origin;
  datasets::Dataset dataset;
};

enum class ExistingName { kRefuse, kReplace };

// Uploads the content unless it is there, and gives it its name. AlreadyExists when the name stands for other content
// and may not be replaced.
absl::StatusOr<v1::DatasetInfo> PublishDataset(const Coordinator& coordinator, const NamedDataset& dataset,
                                               ExistingName existing);

// Finds out what content each data set of the sweep stands for, and writes it into the spec: generated ones are made
// here and published, under their name the newest; others must have been imported. NotFound names the command to run.
absl::Status ResolveDatasets(const Coordinator& coordinator, SweepFile& file);

}  // namespace roar
