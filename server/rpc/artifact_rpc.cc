#include "server/rpc/artifact_rpc.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/transport/artifact_transfer.h"

namespace roar::server {
namespace {

// A ranking is a row of the data base and passes through memory whole; the others are files.
constexpr std::int64_t kLargestRankingBytes = std::int64_t{256} << 20;
constexpr std::int64_t kLargestFileBytes = std::int64_t{64} << 30;

// For messages that name an artifact by kind and sha256.
template <class Message>
absl::StatusOr<ArtifactId> ReadId(const Message& message) {
  if (absl::Status status = CheckSha256("sha256", message.sha256()); !status.ok()) return status;
  switch (message.kind()) {
    case v1::ARTIFACT_KIND_DATASET:
      return ArtifactId{ArtifactKind::kDataset, message.sha256()};
    case v1::ARTIFACT_KIND_CHECKPOINT:
      return ArtifactId{ArtifactKind::kCheckpoint, message.sha256()};
    case v1::ARTIFACT_KIND_RANKING:
      return ArtifactId{ArtifactKind::kRanking, message.sha256()};
    default:
      return absl::InvalidArgumentError("unknown kind of artifact");
  }
}

}  // namespace

grpc::Status ArtifactRpc::Upload(grpc::ServerContext* context, grpc::ServerReader<v1::UploadRequest>* reader,
                                 v1::UploadResponse* response) {
  return gate_.Serve(*context, "Upload", [&] { return Receive(*reader, *response); });
}

absl::Status ArtifactRpc::Receive(grpc::ServerReader<v1::UploadRequest>& reader, v1::UploadResponse& response) {
  v1::UploadRequest request;
  if (!reader.Read(&request) || !request.has_head()) {
    return absl::InvalidArgumentError("the first message of an upload must carry its head");
  }
  const absl::StatusOr<ArtifactId> id = ReadId(request.head());
  if (!id.ok()) return id.status();
  const std::int64_t total_bytes = request.head().total_bytes();
  if (total_bytes < 0) return absl::InvalidArgumentError("total_bytes must not be negative");
  const std::int64_t bytes_most = id->kind == ArtifactKind::kRanking ? kLargestRankingBytes : kLargestFileBytes;
  if (total_bytes > bytes_most) {
    return absl::InvalidArgumentError(absl::StrCat("such an artifact has at most ", bytes_most, " bytes"));
  }
  absl::StatusOr<std::unique_ptr<ArtifactStore::Upload>> upload = artifacts_.StartUpload(*id, total_bytes);
  if (absl::IsAlreadyExists(upload.status())) {
    response.set_stored_bytes(artifacts_.Look(*id).bytes);
    return absl::OkStatus();
  }
  if (!upload.ok()) return upload.status();
  do {
    if (static_cast<std::int64_t>(request.chunk().size()) > kArtifactChunkBytes) {
      return absl::InvalidArgumentError(absl::StrCat("a chunk has at most ", kArtifactChunkBytes, " bytes"));
    }
    if (absl::Status status = (*upload)->Append(request.offset(), request.chunk()); !status.ok()) return status;
    metrics_.CountArtifactBytes(Direction::kUpload, static_cast<std::int64_t>(request.chunk().size()));
  } while (reader.Read(&request));
  response.set_stored_bytes((*upload)->bytes());
  return (*upload)->Finish();
}

grpc::Status ArtifactRpc::QueryUpload(grpc::ServerContext* context, const v1::QueryUploadRequest* request,
                                      v1::QueryUploadResponse* response) {
  return gate_.Serve(*context, "QueryUpload", [&]() -> absl::Status {
    const absl::StatusOr<ArtifactId> id = ReadId(*request);
    if (!id.ok()) return id.status();
    const ArtifactStore::Stored stored = artifacts_.Look(*id);
    response->set_complete(stored.complete);
    response->set_stored_bytes(stored.bytes);
    return absl::OkStatus();
  });
}

grpc::Status ArtifactRpc::Download(grpc::ServerContext* context, const v1::DownloadRequest* request,
                                   grpc::ServerWriter<v1::DownloadResponse>* writer) {
  return gate_.Serve(*context, "Download", [&] { return Send(*request, *writer); });
}

absl::Status ArtifactRpc::Send(const v1::DownloadRequest& request, grpc::ServerWriter<v1::DownloadResponse>& writer) {
  const absl::StatusOr<ArtifactId> id = ReadId(request);
  if (!id.ok()) return id.status();
  const ArtifactStore::Stored stored = artifacts_.Look(*id);
  if (!stored.complete) return absl::NotFoundError(absl::StrCat("no artifact ", id->sha256));
  std::int64_t offset = request.offset();
  if (offset < 0 || offset > stored.bytes) {
    return absl::OutOfRangeError(absl::StrCat("the artifact has ", stored.bytes, " bytes"));
  }
  do {
    absl::StatusOr<std::string> chunk = artifacts_.Read(*id, offset, kArtifactChunkBytes);
    if (!chunk.ok()) return chunk.status();
    if (chunk->empty() && offset < stored.bytes) return absl::DataLossError("the artifact is shorter than it was");
    v1::DownloadResponse response;
    response.set_total_bytes(stored.bytes);
    response.set_offset(offset);
    offset += static_cast<std::int64_t>(chunk->size());
    metrics_.CountArtifactBytes(Direction::kDownload, static_cast<std::int64_t>(chunk->size()));
    response.set_chunk(*std::move(chunk));
    if (!writer.Write(response)) return absl::CancelledError("the reader went away");
  } while (offset < stored.bytes);
  return absl::OkStatus();
}

}  // namespace roar::server
