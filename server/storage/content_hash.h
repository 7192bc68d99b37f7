#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace roar::server {

// SHA-256 of what a file of one zstd frame holds, read in pieces. DataLoss when it is no whole frame.
absl::StatusOr<std::string> ZstdContentSha256(const std::filesystem::path& path);

}  // namespace roar::server
