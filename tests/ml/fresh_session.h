#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/experiment/sha256.h"
#include "worker/ml/run_job.h"

// Calls that have no call before them.

namespace roar::ml {

inline std::string BytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline absl::StatusOr<TrainOutcome> Train(const TrainSpec& spec, const EncodedDataset& dataset,
                                          const std::filesystem::path& checkpoint, const ProgressCallback& progress) {
  return Session().Train(spec, dataset, checkpoint, progress);
}

// Of whatever checkpoint lies there.
inline absl::StatusOr<Scores> Explain(const TrainSpec& spec, const EncodedDataset& dataset,
                                      const ExplainRequest& request, const std::filesystem::path& checkpoint,
                                      const ProgressCallback& progress) {
  return Session().Explain(spec, dataset, request, {checkpoint, Sha256Hex(BytesOf(checkpoint))}, progress);
}

}  // namespace roar::ml
