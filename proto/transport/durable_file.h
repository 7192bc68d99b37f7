#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace roar {

// Writes the whole file or nothing: a temporary name in the same folder, fsync, rename, fsync of the folder. `mode` is
// the new file's permission bits. Errors name the path and the system's reason; ResourceExhausted when the disk is
// full.
absl::Status WriteFileDurably(const std::filesystem::path& path, std::string_view bytes, int mode = 0644);

// Makes a file that was written under a temporary name (same file system) durable under its own.
absl::Status PublishFile(const std::filesystem::path& temporary_path, const std::filesystem::path& path);

// NotFound when there is no such file.
absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path);

// 16 hexadecimal digits drawn at random once per process, for names that no other process may use.
std::string ProcessNonce();

// SHA-256 of a file's bytes, read in pieces.
absl::StatusOr<std::string> FileSha256(const std::filesystem::path& path);

// The status of a failed system call: `what` is the act and the thing ("write /a/b"), the cause is taken from errno.
absl::Status SystemError(const std::string& what);

}  // namespace roar
