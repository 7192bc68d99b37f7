#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/transport/artifact_transfer.h"

namespace roar::agent {

// The two ways of artifacts; each blocks. Called from several threads at once.
struct ArtifactTransfer {
  std::function<absl::Status(const ArtifactName& name, const std::filesystem::path& to)> download;
  std::function<absl::Status(const ArtifactName& name, const std::filesystem::path& from)> upload;
};

// Artifacts on this machine's disk, as FOLDER/ROLE/SHA256. Immutable, so several workers may share a folder.
// Thread-safe. Roles are those of runner.proto; InvalidArgument for another word or for what is no SHA-256.
class ArtifactCache {
 public:
  ArtifactCache(std::filesystem::path folder, ArtifactTransfer transfer);

  // The artifact's file, downloaded when it is not here. Two calls for one artifact download it once.
  absl::StatusOr<std::filesystem::path> Fetch(const std::string& role, const std::string& sha256);

  // Uploads a file, then moves it into the cache: the next job of its chain reads it.
  absl::Status Store(const std::string& role, const std::string& sha256, const std::filesystem::path& file);

  // Forgets an artifact that may have been damaged here, so that it is downloaded again.
  void Drop(const std::string& role, const std::string& sha256);

 private:
  // Where it belongs; the folder is there afterwards.
  absl::StatusOr<std::filesystem::path> Place(const std::string& role, const std::string& sha256) const;

  const std::filesystem::path folder_;
  const ArtifactTransfer transfer_;
  std::mutex mutex_;
  std::condition_variable download_ended_;
  std::set<std::filesystem::path> downloading_;
};

}  // namespace roar::agent
