#pragma once

#include <filesystem>

#include "absl/status/status.h"
#include "client/coordinator.h"
#include "proto/transport/artifact_transfer.h"

namespace roar {

// Uploads a file, as UploadArtifact() does. Another client may be sending the same content at this moment; then it is
// only waited for.
absl::Status UploadFile(const Coordinator& coordinator, const ArtifactName& name, const std::filesystem::path& path);

}  // namespace roar
