#pragma once

#include <cstddef>
#include <filesystem>
#include <list>

#include "absl/status/statusor.h"
#include "core/experiment/job_spec.h"
#include "worker/ml/run_job.h"

namespace roar::runner {

// Reads data sets and keeps those used last in memory, since the jobs of a chain all read the same and the chains of a
// sweep take turns. Not thread-safe.
class DatasetLoader {
 public:
  // Together the kept ones take at most `kept_bytes_most`; the one used last is kept whatever it takes.
  explicit DatasetLoader(std::size_t kept_bytes_most = std::size_t{256} << 20) : kept_bytes_most_(kept_bytes_most) {}

  // The unmasked, encoded data set: its first `limit` examples of each split, with the vocabulary of what is then its
  // train split. `path` is the canonical form; it is not read for a data set that is kept. The pointer is good until
  // the next call. DataLoss when the file is damaged or not the content that the reference names; InvalidArgument when
  // the limit leaves one class in train.
  absl::StatusOr<const ml::EncodedDataset*> Load(const DatasetReference& reference, const std::filesystem::path& path);

 private:
  struct Loaded {
    DatasetReference reference;
    ml::EncodedDataset dataset;
  };

  // Forgets those used longest ago until the others fit.
  void MakeRoom();

  std::size_t kept_bytes_most_;
  // The one used last comes first.
  std::list<Loaded> loaded_;
};

}  // namespace roar::runner
