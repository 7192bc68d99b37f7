#pragma once

#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace roar::server {

// OK when SQLite's locks and fsync can be trusted on a file system of this statfs type; FailedPrecondition that names
// it for NFS, SMB, Lustre, GPFS and BeeGFS.
absl::Status CheckFileSystemType(const std::filesystem::path& path, std::uint32_t statfs_type);

// The folder of everything a coordinator remembers, held exclusively while the object lives.
class StateFolder {
 public:
  // Creates the folder (mode 0700) where it is missing and locks it. AlreadyExists: another coordinator holds it (its
  // process id is named). FailedPrecondition: a network file system.
  static absl::StatusOr<std::unique_ptr<StateFolder>> Open(const std::filesystem::path& path);
  ~StateFolder();
  StateFolder(const StateFolder&) = delete;
  StateFolder& operator=(const StateFolder&) = delete;

  // Absolute, free of links.
  const std::filesystem::path& path() const { return path_; }

 private:
  StateFolder(std::filesystem::path path, int lock_descriptor);

  std::filesystem::path path_;
  int lock_descriptor_;
};

}  // namespace roar::server
