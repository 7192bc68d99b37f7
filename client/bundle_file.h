#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/roar/v1/bundle.pb.h"
#include "proto/transport/artifact_transfer.h"

// The file of a bundle; proto/roar/v1/bundle.proto describes it. No more than one record, or one ranking whose hash is
// checked, is in memory at a time.

namespace roar {

// DataLoss when the file is not the checkpoint or ranking of that name. Else errors are the disk's.
absl::Status CheckArtifact(const ArtifactName& name, const std::filesystem::path& file);

// Writes under a temporary name beside the file; Finish() makes it durable under its own. Without that nothing is left.
// Errors are the disk's.
class BundleWriter {
 public:
  static absl::StatusOr<std::unique_ptr<BundleWriter>> Create(const std::filesystem::path& path);
  ~BundleWriter();
  BundleWriter(const BundleWriter&) = delete;
  BundleWriter& operator=(const BundleWriter&) = delete;

  // In the order of bundle.proto, which is the caller's care.
  absl::Status Add(const v1::BundleHeader& header);
  absl::Status Add(const v1::BundledJobs& jobs);
  // With the bytes of the file as its chunks.
  absl::Status Add(const ArtifactName& name, const std::filesystem::path& file);

  // Bytes of the whole file.
  absl::StatusOr<std::int64_t> Finish();

 private:
  explicit BundleWriter(std::filesystem::path path);
  absl::Status AddRecord(const v1::BundleRecord& record);
  absl::Status Failed(const std::string& act) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_path_;
  std::ofstream file_;
  std::string digest_;
};

// What is told of a bundle, in its order. The first error ends the reading; a DataLoss is about the record.
struct BundleVisitor {
  std::function<absl::Status(const v1::BundleHeader& header)> header;
  std::function<absl::Status(const v1::BundledJob& job)> job;
  // The bytes are in `file` during the call, and have the artifact's hash.
  std::function<absl::Status(const ArtifactName& name, const std::filesystem::path& file)> artifact;
};

// Reads a bundle to its end. Only when it returned OK was the file whole and undamaged: what a visitor was told before
// must not have been acted upon. InvalidArgument: no bundle, or of another version; DataLoss: damaged; else the disk's.
absl::Status ReadBundle(const std::filesystem::path& path, const BundleVisitor& visitor);

}  // namespace roar
