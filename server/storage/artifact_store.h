#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/storage/blob_store.h"

namespace roar::server {

enum class ArtifactKind { kDataset, kCheckpoint, kRanking };

struct ArtifactId {
  ArtifactKind kind = ArtifactKind::kDataset;
  // Of a checkpoint's bytes; of the content inside the zstd frame of a data set or a ranking.
  std::string sha256;
};

// Immutable bytes by hash. Data sets and checkpoints are files below STATE/artifacts, rankings are rows of blobs.db;
// unfinished uploads are files below STATE/uploads that outlive connections and restarts. Thread-safe.
class ArtifactStore {
 public:
  static absl::StatusOr<std::unique_ptr<ArtifactStore>> Open(const std::filesystem::path& state_folder);

  struct Stored {
    bool complete = false;
    std::int64_t bytes = 0;
  };
  Stored Look(const ArtifactId& id);
  bool Has(const ArtifactId& id) { return Look(id).complete; }

  // One upload of one artifact; its name is taken while the object lives.
  class Upload {
   public:
    ~Upload();
    Upload(const Upload&) = delete;
    Upload& operator=(const Upload&) = delete;

    // OutOfRange: `offset` is not where the upload is (says where). ResourceExhausted: more bytes than announced, or
    // the disk is full.
    absl::Status Append(std::int64_t offset, const std::string& chunk);
    // Once all bytes are there: checks the hash and makes the artifact durable. Returns OK and keeps what is there when
    // bytes are still missing. DataLoss: another hash; nothing is kept.
    absl::Status Finish();
    std::int64_t bytes() const { return bytes_; }

   private:
    friend class ArtifactStore;
    Upload(ArtifactStore& store, ArtifactId id, std::int64_t total_bytes);

    ArtifactStore& store_;
    ArtifactId id_;
    std::int64_t total_bytes_;
    std::int64_t bytes_ = 0;
    int descriptor_ = -1;
  };
  // Goes on where an earlier upload ended. AlreadyExists: the artifact is here. Unavailable: another call is sending
  // it.
  absl::StatusOr<std::unique_ptr<Upload>> StartUpload(const ArtifactId& id, std::int64_t total_bytes);

  // At most `length` bytes from `offset`; fewer at the end. NotFound: no such artifact.
  absl::StatusOr<std::string> Read(const ArtifactId& id, std::int64_t offset, std::int64_t length);

 private:
  ArtifactStore(std::filesystem::path state_folder, std::unique_ptr<BlobStore> blobs)
      : state_folder_(std::move(state_folder)), blobs_(std::move(blobs)) {}

  std::filesystem::path FilePath(const ArtifactId& id) const;
  std::filesystem::path PartPath(const ArtifactId& id) const;

  std::filesystem::path state_folder_;
  std::unique_ptr<BlobStore> blobs_;
  std::mutex mutex_;
  // Paths of the uploads under way.
  std::set<std::string> uploading_;
};

}  // namespace roar::server
