#include "client/bundle_file.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/temporary_file.h"
#include "core/experiment/sha256.h"
#include "datasets/record_file.h"
#include "proto/transport/durable_file.h"
#include "proto/transport/length_prefix.h"

namespace roar {
namespace {

constexpr std::string_view kMagic = "roar bundle 1\n";
constexpr std::size_t kMagicNameLength = 12;

std::string NextDigest(const std::string& digest, const std::string& frame) { return Sha256Hex(digest + frame); }

// A checkpoint is named by its bytes, a ranking by what its frame holds.
absl::StatusOr<std::string> HashOf(v1::ArtifactKind kind, const std::filesystem::path& file) {
  if (kind == v1::ARTIFACT_KIND_CHECKPOINT) return FileSha256(file);
  const absl::StatusOr<std::string> bytes = ReadFile(file);
  if (!bytes.ok()) return bytes.status();
  return datasets::ContentSha256(*bytes);
}

class BundleReader {
 public:
  BundleReader(std::filesystem::path path, const BundleVisitor& visitor)
      : path_(std::move(path)), visitor_(visitor), file_(path_, std::ios::binary) {}

  absl::Status Read() {
    if (absl::Status magic = ReadMagic(); !magic.ok()) return magic;
    v1::BundleRecord record;
    if (absl::Status read = Next(record); !read.ok()) return read;
    if (!record.has_header()) return Damaged("no header");
    if (absl::Status told = Told(visitor_.header(record.header())); !told.ok()) return told;
    if (absl::Status read = ReadJobs(record); !read.ok()) return read;
    while (record.has_artifact()) {
      if (absl::Status read = ReadArtifact(record.artifact()); !read.ok()) return read;
      if (absl::Status read = Next(record); !read.ok()) return read;
    }
    return CheckEnd(record);
  }

 private:
  absl::Status Damaged(const std::string& cause) const {
    return absl::DataLossError(absl::StrCat(path_.string(), " is damaged, nothing of it was taken: record ",
                                            record_count_, ": ", cause, "; copy or export it again"));
  }

  absl::Status Told(const absl::Status& status) const {
    return absl::IsDataLoss(status) ? Damaged(std::string(status.message())) : status;
  }

  absl::Status ReadMagic() {
    if (!file_) return SystemError(absl::StrCat("read ", path_.string()));
    const std::string magic = Take(kMagic.size());
    if (magic == kMagic) return absl::OkStatus();
    const bool is_bundle = magic.substr(0, kMagicNameLength) == kMagic.substr(0, kMagicNameLength);
    return absl::InvalidArgumentError(
        absl::StrCat(path_.string(), is_bundle ? " is a bundle of another version: use the release that wrote it"
                                               : " is not a bundle: give a file that roar export wrote"));
  }

  // Fewer bytes at the end of the file.
  std::string Take(std::size_t length) {
    std::string bytes(length, '\0');
    file_.read(bytes.data(), static_cast<std::streamsize>(length));
    bytes.resize(static_cast<std::size_t>(file_.gcount()));
    return bytes;
  }

  absl::Status Next(v1::BundleRecord& record) {
    ++record_count_;
    digest_before_ = digest_;
    const std::string length_bytes = Take(kLengthBytes);
    if (length_bytes.size() < kLengthBytes) return Damaged("the file ends here");
    const std::size_t length = DecodeLength(length_bytes);
    if (length > kFrameBytesMost) return Damaged("its length is impossible");
    const std::string frame = Take(length);
    if (frame.size() < length) return Damaged("the file ends within it");
    digest_ = NextDigest(digest_, frame);
    const absl::StatusOr<std::string> content = datasets::Decompress(frame, kFrameBytesMost);
    if (!content.ok()) return Damaged("it cannot be decompressed");
    if (!record.ParseFromString(*content)) return Damaged("not a protobuf message");
    return absl::OkStatus();
  }

  absl::Status ReadJobs(v1::BundleRecord& record) {
    if (absl::Status read = Next(record); !read.ok()) return read;
    while (record.has_jobs()) {
      for (const v1::BundledJob& job : record.jobs().jobs()) {
        if (absl::Status told = Told(visitor_.job(job)); !told.ok()) return told;
      }
      if (absl::Status read = Next(record); !read.ok()) return read;
    }
    return absl::OkStatus();
  }

  absl::Status ReadArtifact(const v1::BundledArtifact& artifact) {
    if (artifact.kind() != v1::ARTIFACT_KIND_CHECKPOINT && artifact.kind() != v1::ARTIFACT_KIND_RANKING) {
      return Damaged("an artifact of a kind that no bundle has");
    }
    const TemporaryFile file;
    if (absl::Status read = ReadChunks(artifact, file.path()); !read.ok()) return read;
    const ArtifactName name{.kind = artifact.kind(), .sha256 = artifact.sha256()};
    if (absl::Status check = Told(CheckArtifact(name, file.path())); !check.ok()) return check;
    return Told(visitor_.artifact(name, file.path()));
  }

  absl::Status ReadChunks(const v1::BundledArtifact& artifact, const std::filesystem::path& path) {
    std::ofstream file(path, std::ios::binary);
    v1::BundleRecord record;
    std::int64_t left = artifact.total_bytes();
    while (left > 0) {
      if (absl::Status read = Next(record); !read.ok()) return read;
      left -= static_cast<std::int64_t>(record.chunk().size());
      if (record.chunk().empty() || left < 0) return Damaged(absl::StrCat("artifact ", artifact.sha256(), " is cut"));
      file.write(record.chunk().data(), static_cast<std::streamsize>(record.chunk().size()));
    }
    file.close();
    return file ? absl::OkStatus() : SystemError(absl::StrCat("write ", path.string()));
  }

  absl::Status CheckEnd(const v1::BundleRecord& record) {
    if (!record.has_end()) return Damaged("it does not belong here");
    if (record.end().sha256() != digest_before_) return Damaged("the hash over all records is another");
    return Take(1).empty() ? absl::OkStatus() : Damaged("something follows the end");
  }

  const std::filesystem::path path_;
  const BundleVisitor& visitor_;
  std::ifstream file_;
  std::int64_t record_count_ = 0;
  std::string digest_;
  std::string digest_before_;
};

}  // namespace

absl::Status CheckArtifact(const ArtifactName& name, const std::filesystem::path& file) {
  const absl::StatusOr<std::string> found = HashOf(name.kind, file);
  if (!found.ok() && !absl::IsDataLoss(found.status())) return found.status();
  if (found.ok() && *found == name.sha256) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("artifact ", name.sha256, " has other bytes"));
}

BundleWriter::BundleWriter(std::filesystem::path path)
    : path_(std::move(path)),
      temporary_path_(absl::StrCat(path_.string(), ".", ProcessNonce(), ".part")),
      file_(temporary_path_, std::ios::binary | std::ios::trunc) {}

BundleWriter::~BundleWriter() {
  std::error_code ignored;
  std::filesystem::remove(temporary_path_, ignored);
}

absl::StatusOr<std::unique_ptr<BundleWriter>> BundleWriter::Create(const std::filesystem::path& path) {
  std::unique_ptr<BundleWriter> writer(new BundleWriter(path));
  if (!writer->file_) return writer->Failed("create");
  writer->file_ << kMagic;
  return writer;
}

absl::Status BundleWriter::Failed(const std::string& act) const {
  return SystemError(absl::StrCat(act, " ", path_.string()));
}

absl::Status BundleWriter::AddRecord(const v1::BundleRecord& record) {
  const std::string frame = datasets::Compress(record.SerializeAsString());
  digest_ = NextDigest(digest_, frame);
  file_ << EncodeLength(frame.size()) << frame;
  return file_ ? absl::OkStatus() : Failed("write");
}

absl::Status BundleWriter::Add(const v1::BundleHeader& header) {
  v1::BundleRecord record;
  *record.mutable_header() = header;
  return AddRecord(record);
}

absl::Status BundleWriter::Add(const v1::BundledJobs& jobs) {
  v1::BundleRecord record;
  *record.mutable_jobs() = jobs;
  return AddRecord(record);
}

absl::Status BundleWriter::Add(const ArtifactName& name, const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream bytes(file, std::ios::binary);
  auto left = static_cast<std::int64_t>(std::filesystem::file_size(file, error));
  if (!bytes || error) return SystemError(absl::StrCat("read ", file.string()));
  v1::BundleRecord record;
  record.mutable_artifact()->set_kind(name.kind);
  record.mutable_artifact()->set_sha256(name.sha256);
  record.mutable_artifact()->set_total_bytes(left);
  if (absl::Status added = AddRecord(record); !added.ok()) return added;
  while (left > 0) {
    const std::int64_t size = std::min(left, kArtifactChunkBytes);
    record.mutable_chunk()->resize(static_cast<std::size_t>(size));
    if (!bytes.read(record.mutable_chunk()->data(), size)) return SystemError(absl::StrCat("read ", file.string()));
    if (absl::Status added = AddRecord(record); !added.ok()) return added;
    left -= size;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> BundleWriter::Finish() {
  v1::BundleRecord record;
  record.mutable_end()->set_sha256(digest_);
  if (absl::Status added = AddRecord(record); !added.ok()) return added;
  const std::int64_t bytes = file_.tellp();
  file_.close();
  if (!file_) return Failed("write");
  if (absl::Status published = PublishFile(temporary_path_, path_); !published.ok()) return published;
  return bytes;
}

absl::Status ReadBundle(const std::filesystem::path& path, const BundleVisitor& visitor) {
  return BundleReader(path, visitor).Read();
}

}  // namespace roar
