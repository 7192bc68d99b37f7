#include "server/storage/artifact_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "proto/transport/durable_file.h"
#include "server/storage/content_hash.h"

namespace roar::server {
namespace {

const char* FolderName(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::kDataset:
      return "dataset";
    case ArtifactKind::kCheckpoint:
      return "checkpoint";
    case ArtifactKind::kRanking:
      return "ranking";
  }
  return "";
}

std::int64_t FileSize(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? -1 : static_cast<std::int64_t>(size);
}

absl::StatusOr<std::string> HashOf(ArtifactKind kind, const std::filesystem::path& path) {
  return kind == ArtifactKind::kCheckpoint ? FileSha256(path) : ZstdContentSha256(path);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ArtifactStore>> ArtifactStore::Open(const std::filesystem::path& state_folder) {
  absl::StatusOr<std::unique_ptr<BlobStore>> blobs = BlobStore::Open(state_folder / "blobs.db");
  if (!blobs.ok()) return blobs.status();
  std::error_code error;
  std::filesystem::create_directories(state_folder / "uploads", error);
  if (error)
    return absl::InternalError(absl::StrCat("create ", (state_folder / "uploads").string(), ": ", error.message()));
  return std::unique_ptr<ArtifactStore>(new ArtifactStore(state_folder, *std::move(blobs)));
}

std::filesystem::path ArtifactStore::FilePath(const ArtifactId& id) const {
  return state_folder_ / "artifacts" / FolderName(id.kind) / id.sha256.substr(0, 2) / id.sha256;
}

std::filesystem::path ArtifactStore::PartPath(const ArtifactId& id) const {
  return state_folder_ / "uploads" / absl::StrCat(FolderName(id.kind), "-", id.sha256, ".part");
}

ArtifactStore::Stored ArtifactStore::Look(const ArtifactId& id) {
  std::int64_t size = -1;
  if (id.kind == ArtifactKind::kRanking) {
    size = blobs_->Size(id.sha256).value_or(-1);
  } else {
    size = FileSize(FilePath(id));
  }
  if (size >= 0) return {true, size};
  return {false, std::max<std::int64_t>(FileSize(PartPath(id)), 0)};
}

absl::StatusOr<std::unique_ptr<ArtifactStore::Upload>> ArtifactStore::StartUpload(const ArtifactId& id,
                                                                                  std::int64_t total_bytes) {
  const std::filesystem::path part = PartPath(id);
  {
    std::lock_guard lock(mutex_);
    if (!uploading_.insert(part.string()).second) {
      return absl::UnavailableError(absl::StrCat(id.sha256, " is being uploaded by another call"));
    }
  }
  std::unique_ptr<Upload> upload(new Upload(*this, id, total_bytes));
  if (Look(id).complete) return absl::AlreadyExistsError(absl::StrCat(id.sha256, " is here"));
  // What is left of longer bytes cannot be the beginning of these (packed by another compressor).
  const int start_anew = FileSize(part) > total_bytes ? O_TRUNC : 0;
  upload->descriptor_ = open(part.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | start_anew, 0600);
  if (upload->descriptor_ < 0) return SystemError(absl::StrCat("open ", part.string()));
  upload->bytes_ = std::max<std::int64_t>(FileSize(part), 0);
  return upload;
}

ArtifactStore::Upload::Upload(ArtifactStore& store, ArtifactId id, std::int64_t total_bytes)
    : store_(store), id_(std::move(id)), total_bytes_(total_bytes) {}

ArtifactStore::Upload::~Upload() {
  if (descriptor_ >= 0) close(descriptor_);
  std::lock_guard lock(store_.mutex_);
  store_.uploading_.erase(store_.PartPath(id_).string());
}

absl::Status ArtifactStore::Upload::Append(std::int64_t offset, const std::string& chunk) {
  if (offset != bytes_) {
    return absl::OutOfRangeError(absl::StrCat("the upload is at offset ", bytes_, ", the chunk is for ", offset));
  }
  if (bytes_ + static_cast<std::int64_t>(chunk.size()) > total_bytes_) {
    return absl::ResourceExhaustedError(absl::StrCat("more than the announced ", total_bytes_, " bytes"));
  }
  std::size_t written = 0;
  while (written < chunk.size()) {
    const ssize_t count = write(descriptor_, chunk.data() + written, chunk.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(absl::StrCat("write ", store_.PartPath(id_).string()));
    written += static_cast<std::size_t>(count);
    bytes_ += count;
  }
  return absl::OkStatus();
}

absl::Status ArtifactStore::Upload::Finish() {
  if (bytes_ < total_bytes_) return absl::OkStatus();
  const std::filesystem::path part = store_.PartPath(id_);
  absl::StatusOr<std::string> hash = HashOf(id_.kind, part);
  if (!hash.ok() || *hash != id_.sha256) {
    std::filesystem::remove(part);
    return absl::DataLossError(absl::StrCat("the bytes have the hash ", hash.ok() ? *hash : hash.status().ToString(),
                                            ", announced was ", id_.sha256, ": send them again"));
  }
  if (id_.kind == ArtifactKind::kRanking) {
    absl::StatusOr<std::string> bytes = ReadFile(part);
    if (!bytes.ok()) return bytes.status();
    if (absl::Status status = store_.blobs_->Put(id_.sha256, *bytes); !status.ok()) return status;
    std::filesystem::remove(part);
    return absl::OkStatus();
  }
  const std::filesystem::path path = store_.FilePath(id_);
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) return absl::UnavailableError(absl::StrCat("create ", path.parent_path().string(), ": ", error.message()));
  return PublishFile(part, path);
}

absl::StatusOr<std::string> ArtifactStore::Read(const ArtifactId& id, std::int64_t offset, std::int64_t length) {
  if (id.kind == ArtifactKind::kRanking) {
    absl::StatusOr<std::string> bytes = blobs_->Get(id.sha256);
    if (!bytes.ok()) return bytes.status();
    return offset >= static_cast<std::int64_t>(bytes->size())
               ? std::string()
               : bytes->substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  }
  std::ifstream file(FilePath(id), std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("no ", FolderName(id.kind), " ", id.sha256));
  std::string bytes(static_cast<std::size_t>(length), '\0');
  file.seekg(offset);
  file.read(bytes.data(), length);
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace roar::server
