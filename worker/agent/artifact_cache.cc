#include "worker/agent/artifact_cache.h"

#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"

namespace roar::agent {

ArtifactCache::ArtifactCache(std::filesystem::path folder, ArtifactTransfer transfer)
    : folder_(std::move(folder)), transfer_(std::move(transfer)) {}

absl::StatusOr<std::filesystem::path> ArtifactCache::Place(const std::string& role, const std::string& sha256) const {
  if (ArtifactKindFromRole(role) == v1::ARTIFACT_KIND_UNSPECIFIED || !IsSha256Hex(sha256)) {
    return absl::InvalidArgumentError(absl::StrCat("no artifact is named ", role, "/", sha256));
  }
  std::error_code error;
  std::filesystem::create_directories(folder_ / role, error);
  if (error) return absl::InternalError(absl::StrCat("make ", (folder_ / role).string(), ": ", error.message()));
  return folder_ / role / sha256;
}

absl::StatusOr<std::filesystem::path> ArtifactCache::Fetch(const std::string& role, const std::string& sha256) {
  absl::StatusOr<std::filesystem::path> path = Place(role, sha256);
  if (!path.ok()) return path;
  std::unique_lock lock(mutex_);
  download_ended_.wait(lock, [&] { return !downloading_.contains(*path); });
  std::error_code error;
  if (std::filesystem::exists(*path, error)) return path;
  downloading_.insert(*path);
  lock.unlock();
  const absl::Status downloaded = transfer_.download({.kind = ArtifactKindFromRole(role), .sha256 = sha256}, *path);
  lock.lock();
  downloading_.erase(*path);
  download_ended_.notify_all();
  if (!downloaded.ok()) return downloaded;
  return path;
}

absl::Status ArtifactCache::Store(const std::string& role, const std::string& sha256,
                                  const std::filesystem::path& file) {
  const absl::StatusOr<std::filesystem::path> path = Place(role, sha256);
  if (!path.ok()) return path.status();
  const absl::Status uploaded = transfer_.upload({.kind = ArtifactKindFromRole(role), .sha256 = sha256}, file);
  // What cannot be kept (another file system, a full disk) is downloaded when it is needed.
  std::error_code ignored;
  if (uploaded.ok()) std::filesystem::rename(file, *path, ignored);
  return uploaded;
}

void ArtifactCache::Drop(const std::string& role, const std::string& sha256) {
  std::error_code ignored;
  if (const auto path = Place(role, sha256); path.ok()) std::filesystem::remove(*path, ignored);
}

}  // namespace roar::agent
