#include "proto/transport/artifact_transfer.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "proto/roar/v1/artifact_service.grpc.pb.h"
#include "proto/transport/channel.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

constexpr absl::Duration kQueryTimeout = absl::Seconds(30);
constexpr absl::Duration kTransferTimeout = absl::Minutes(30);

using Stub = v1::ArtifactService::Stub;

absl::StatusOr<v1::QueryUploadResponse> Query(Stub& stub, const v1::Access& access, const ArtifactName& name) {
  grpc::ClientContext context;
  PrepareCall(context, access, kQueryTimeout);
  v1::QueryUploadRequest request;
  request.set_kind(name.kind);
  request.set_sha256(name.sha256);
  v1::QueryUploadResponse response;
  const grpc::Status status = stub.QueryUpload(&context, request, &response);
  if (!status.ok()) return FromGrpc(status);
  return response;
}

// Sends the file from `offset` on; an empty rest is one message without bytes.
absl::Status SendFrom(Stub& stub, const v1::Access& access, v1::UploadHead head, std::ifstream& file,
                      std::int64_t offset) {
  grpc::ClientContext context;
  PrepareCall(context, access, kTransferTimeout);
  v1::UploadResponse response;
  auto writer = stub.Upload(&context, &response);
  const std::int64_t total_bytes = head.total_bytes();
  v1::UploadRequest request;
  *request.mutable_head() = std::move(head);
  file.seekg(offset);
  do {
    const std::int64_t size = std::min(kArtifactChunkBytes, total_bytes - offset);
    request.set_offset(offset);
    request.mutable_chunk()->resize(static_cast<std::size_t>(size));
    if (size > 0 && !file.read(request.mutable_chunk()->data(), size)) {
      context.TryCancel();
      return absl::DataLossError("the file became shorter while it was uploaded");
    }
    if (!writer->Write(request)) break;  // Finish() tells why.
    request.clear_head();
    offset += size;
  } while (offset < total_bytes);
  writer->WritesDone();
  return FromGrpc(writer->Finish());
}

absl::Status ReceiveInto(Stub& stub, const v1::Access& access, const ArtifactName& name,
                         const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return SystemError(absl::StrCat("create ", path.string()));
  grpc::ClientContext context;
  PrepareCall(context, access, kTransferTimeout);
  v1::DownloadRequest request;
  request.set_kind(name.kind);
  request.set_sha256(name.sha256);
  auto reader = stub.Download(&context, request);
  v1::DownloadResponse response;
  std::int64_t received = 0, total_bytes = 0;
  while (reader->Read(&response)) {
    errno = 0;
    file.write(response.chunk().data(), static_cast<std::streamsize>(response.chunk().size()));
    if (!file) {
      const absl::Status status = SystemError(absl::StrCat("write ", path.string()));
      context.TryCancel();
      return status;
    }
    received += static_cast<std::int64_t>(response.chunk().size());
    total_bytes = response.total_bytes();
  }
  if (const grpc::Status status = reader->Finish(); !status.ok()) return FromGrpc(status);
  file.close();
  if (!file) return SystemError(absl::StrCat("write ", path.string()));
  if (received != total_bytes) {
    return absl::DataLossError(
        absl::StrCat("artifact ", name.sha256, ": ", received, " of ", total_bytes, " bytes came"));
  }
  return absl::OkStatus();
}

absl::Status CheckHash(const ArtifactName& name, const std::filesystem::path& path) {
  if (name.kind != v1::ARTIFACT_KIND_CHECKPOINT) return absl::OkStatus();
  absl::StatusOr<std::string> sha256 = FileSha256(path);
  if (!sha256.ok()) return sha256.status();
  if (*sha256 == name.sha256) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("artifact ", name.sha256, ": the bytes that came have hash ", *sha256));
}

}  // namespace

v1::ArtifactKind ArtifactKindFromRole(std::string_view role) {
  if (role == "dataset") return v1::ARTIFACT_KIND_DATASET;
  if (role == "checkpoint") return v1::ARTIFACT_KIND_CHECKPOINT;
  if (role == "ranking" || role == "shard") return v1::ARTIFACT_KIND_RANKING;
  return v1::ARTIFACT_KIND_UNSPECIFIED;
}

absl::Status UploadArtifact(const std::shared_ptr<grpc::Channel>& channel, const v1::Access& access,
                            const ArtifactName& name, const std::filesystem::path& path) {
  const auto stub = v1::ArtifactService::NewStub(channel);
  absl::StatusOr<v1::QueryUploadResponse> known = Query(*stub, access, name);
  if (!known.ok()) return known.status();
  if (known->complete()) return absl::OkStatus();
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const auto total_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  if (!file || error) return SystemError(absl::StrCat("read ", path.string()));
  v1::UploadHead head;
  head.set_kind(name.kind);
  head.set_sha256(name.sha256);
  head.set_total_bytes(total_bytes);
  const std::int64_t offset = known->stored_bytes() <= total_bytes ? known->stored_bytes() : 0;
  return SendFrom(*stub, access, std::move(head), file, offset);
}

absl::Status DownloadArtifact(const std::shared_ptr<grpc::Channel>& channel, const v1::Access& access,
                              const ArtifactName& name, const std::filesystem::path& path) {
  const auto stub = v1::ArtifactService::NewStub(channel);
  const std::filesystem::path temporary = absl::StrCat(path.string(), ".", ProcessNonce(), ".part");
  absl::Status status = ReceiveInto(*stub, access, name, temporary);
  if (status.ok()) status = CheckHash(name, temporary);
  if (status.ok()) status = PublishFile(temporary, path);
  std::error_code ignored;
  if (!status.ok()) std::filesystem::remove(temporary, ignored);
  return status;
}

}  // namespace roar
