#pragma once

#include <grpcpp/grpcpp.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "proto/roar/v1/access.pb.h"
#include "proto/roar/v1/artifact_service.pb.h"

namespace roar {

inline constexpr std::int64_t kArtifactChunkBytes = 1 << 20;

struct ArtifactName {
  v1::ArtifactKind kind = v1::ARTIFACT_KIND_UNSPECIFIED;
  std::string sha256;
};

// "dataset", "checkpoint", "ranking": the role of an input, and the kind that it has; UNSPECIFIED for another word.
v1::ArtifactKind ArtifactKindFromRole(std::string_view role);

// Uploads a file, from where an earlier attempt ended; nothing is sent when the coordinator has it. Blocks. Errors are
// the RPC's (artifact_service.proto) or the file's.
absl::Status UploadArtifact(const std::shared_ptr<grpc::Channel>& channel, const v1::Access& access,
                            const ArtifactName& name, const std::filesystem::path& path);

// Fetches into `path`, whole or not at all. The hash of a checkpoint is checked here (DataLoss); that of a data set or
// a ranking is of the content in its zstd frame and checked by who unpacks it.
absl::Status DownloadArtifact(const std::shared_ptr<grpc::Channel>& channel, const v1::Access& access,
                              const ArtifactName& name, const std::filesystem::path& path);

}  // namespace roar
