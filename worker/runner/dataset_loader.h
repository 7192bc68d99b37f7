#pragma once

#include <filesystem>
#include <optional>

#include "absl/status/statusor.h"
#include "core/experiment/job_spec.h"
#include "worker/ml/run_job.h"

namespace roar::runner {

// Reads data sets and keeps the last one in memory, since the jobs of a chain all read the same. Not thread-safe.
class DatasetLoader {
 public:
  // The unmasked, encoded data set: its first `limit` examples of each split, with the vocabulary of what is then its
  // train split. `path` is the canonical form; it is not read again for the data set of the call before. The pointer is
  // good until the next call. DataLoss when the file is damaged or not the content that the reference names.
  absl::StatusOr<const ml::EncodedDataset*> Load(const DatasetReference& reference, const std::filesystem::path& path);

 private:
  std::optional<DatasetReference> loaded_;
  ml::EncodedDataset dataset_;
};

}  // namespace roar::runner
