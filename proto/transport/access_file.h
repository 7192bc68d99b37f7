#pragma once

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/roar/v1/access.pb.h"

namespace roar {

// Reads an access file; `server_address`, unless empty, takes the place of its addresses. InvalidArgument when it is no
// access file or lacks an address or token; PermissionDenied when others may read or write it (the token is a secret);
// NotFound when it is not there.
absl::StatusOr<v1::Access> ReadAccessFile(const std::filesystem::path& path, const std::string& server_address = {});

// Writes it with mode 0600, whole or not at all.
absl::Status WriteAccessFile(const std::filesystem::path& path, const v1::Access& access);

}  // namespace roar
