#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/coordinator.h"

namespace roar {

enum class CheckpointChoice {
  // Those that a job of the sweep that has not succeeded reads.
  kStillRead,
  kAll,
};

struct ExportedBundle {
  std::int64_t trainings = 0;
  std::int64_t explanations = 0;
  std::int64_t rankings = 0;
  std::int64_t checkpoints = 0;
  std::int64_t file_bytes = 0;
  // Keys of trainings whose checkpoint the coordinator does not have: they were imported without it.
  std::vector<std::string> without_checkpoint;
};

// Writes what has succeeded of the sweep, as of now, into a bundle, whole or not at all. An existing file is replaced.
absl::StatusOr<ExportedBundle> ExportBundle(const Coordinator& coordinator, std::int64_t sweep_id,
                                            const std::filesystem::path& path, CheckpointChoice checkpoints);

}  // namespace roar
