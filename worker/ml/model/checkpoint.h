#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "worker/ml/run_job.h"

// A checkpoint holds the float32 parameters of a model and nothing else, so equal weights are equal bytes (an archive
// of torch::save is a zip file, whose bytes are not promised). Little-endian:
//   "ROARWTS1"  u64 parameter count
//   per parameter, in the module's order: u64 name length, name, u64 rank, u64 per dimension, the values row by row
//   the SHA-256 of all that precedes, 64 hexadecimal digits

namespace roar::ml {

// Written under a temporary name in the same folder, synchronised and renamed. Returns the SHA-256 of the file's bytes.
// Unavailable: the file system refused, with its reason and the path; a fault of this machine, not of the model.
absl::StatusOr<std::string> SaveCheckpoint(const torch::nn::Module& module, const std::filesystem::path& path);

// Puts the values into the module's parameters. DataLoss: unreadable, damaged or another checkpoint than the hash says,
// or its names and shapes are not the module's; the module may then be partly overwritten.
absl::Status LoadCheckpoint(const CheckpointFile& checkpoint, torch::nn::Module& module);

}  // namespace roar::ml
