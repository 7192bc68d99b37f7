#include "client/upload.h"

namespace roar {

absl::Status UploadFile(const Coordinator& coordinator, const ArtifactName& name, const std::filesystem::path& path) {
  constexpr int kTriesMost = 40;
  absl::Status status;
  for (int tried = 0; tried < kTriesMost; ++tried) {
    status = UploadArtifact(coordinator.channel(), coordinator.access(), name, path);
    if (!absl::IsUnavailable(status)) return status;
    coordinator.PauseBeforeRepeat();
  }
  return status;
}

}  // namespace roar
