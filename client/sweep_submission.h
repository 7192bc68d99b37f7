#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/coordinator.h"
#include "client/sweep_file.h"
#include "proto/roar/v1/sweep_service.pb.h"

namespace roar {

// A sweep file without problems. InvalidArgument: a line FILE:LINE: PROBLEM for each of its problems.
absl::StatusOr<SweepFile> LoadSweepFile(const std::string& path);

// Brings the data sets to the coordinator, then the sweep. What the coordinator finds wrong is told as LoadSweepFile()
// does, at the lines of `path`.
absl::StatusOr<v1::SubmitSweepResponse> SubmitSweep(const Coordinator& coordinator, SweepFile file,
                                                    const std::string& path);

}  // namespace roar
