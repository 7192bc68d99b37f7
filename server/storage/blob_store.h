#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/storage/database.h"

namespace roar::server {

// Small artifacts by their SHA-256, in blobs.db. Durable when Put() returns. Thread-safe.
class BlobStore {
 public:
  static absl::StatusOr<std::unique_ptr<BlobStore>> Open(const std::filesystem::path& path);

  // The bytes have that hash; the caller checked. Stored once however often they are put.
  absl::Status Put(const std::string& sha256, const std::string& bytes);
  // NotFound when there is none.
  absl::StatusOr<std::string> Get(const std::string& sha256);
  // Bytes of a blob, or -1.
  absl::StatusOr<std::int64_t> Size(const std::string& sha256);

 private:
  explicit BlobStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  std::mutex mutex_;
  std::unique_ptr<Database> database_;
};

}  // namespace roar::server
