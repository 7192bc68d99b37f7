#include "proto/transport/durable_file.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

namespace roar {
namespace {

absl::StatusCode CodeOfSystemError(int error) {
  switch (error) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
      return absl::StatusCode::kResourceExhausted;
    default:
      return absl::StatusCode::kInternal;
  }
}

absl::Status WriteAll(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(absl::StrCat("write ", name));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return absl::OkStatus();
}

// Makes a rename or a new name in the folder survive a power cut.
absl::Status SyncFolder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(absl::StrCat("open folder ", folder.string()));
  absl::Cleanup close_it = [descriptor] { close(descriptor); };
  if (fsync(descriptor) != 0) return SystemError(absl::StrCat("sync folder ", folder.string()));
  return absl::OkStatus();
}

// Unlike any other writer's, in this process, another, or one that was killed: in a container the process id is
// always 1.
std::filesystem::path TemporaryName(const std::filesystem::path& path) {
  static std::atomic<int> counter = 0;
  return absl::StrCat(path.string(), ".", ProcessNonce(), "-", counter++, ".tmp");
}

absl::Status WriteAndSync(const std::filesystem::path& path, std::string_view bytes, int mode) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return SystemError(absl::StrCat("create ", path.string()));
  absl::Cleanup close_it = [descriptor] { close(descriptor); };
  if (absl::Status status = WriteAll(descriptor, bytes, path.string()); !status.ok()) return status;
  if (fsync(descriptor) != 0) return SystemError(absl::StrCat("sync ", path.string()));
  return absl::OkStatus();
}

}  // namespace

std::string ProcessNonce() {
  static const std::uint64_t nonce = (std::uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  return absl::StrCat(absl::Hex(nonce, absl::kZeroPad16));
}

absl::Status SystemError(const std::string& what) {
  const int error = errno;
  return absl::Status(CodeOfSystemError(error), absl::StrCat(what, ": ", std::generic_category().message(error)));
}

absl::Status WriteFileDurably(const std::filesystem::path& path, std::string_view bytes, int mode) {
  const std::filesystem::path temporary = TemporaryName(path);
  absl::Status status = WriteAndSync(temporary, bytes, mode);
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0) {
    status = SystemError(absl::StrCat("rename ", temporary.string(), " to ", path.string()));
  }
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  return SyncFolder(path.parent_path());
}

absl::Status PublishFile(const std::filesystem::path& temporary_path, const std::filesystem::path& path) {
  const int descriptor = open(temporary_path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(absl::StrCat("open ", temporary_path.string()));
  absl::Cleanup close_it = [descriptor] { close(descriptor); };
  if (fsync(descriptor) != 0) return SystemError(absl::StrCat("sync ", temporary_path.string()));
  if (std::rename(temporary_path.c_str(), path.c_str()) != 0) {
    return SystemError(absl::StrCat("rename ", temporary_path.string(), " to ", path.string()));
  }
  return SyncFolder(path.parent_path());
}

absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return SystemError(absl::StrCat("read ", path.string()));
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  // In pieces: a folder opens, and only reading it fails.
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0) {
    bytes.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return absl::InvalidArgumentError(absl::StrCat("read ", path.string(), ": it is no readable file"));
  return bytes;
}

absl::StatusOr<std::string> FileSha256(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return SystemError(absl::StrCat("read ", path.string()));
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  std::array<char, 1 << 16> buffer;
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0) {
    EVP_DigestUpdate(context.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return SystemError(absl::StrCat("read ", path.string()));
  std::array<unsigned char, 32> digest;
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  std::string hex;
  for (unsigned char byte : digest) absl::StrAppend(&hex, absl::Hex(byte, absl::kZeroPad2));
  return hex;
}

}  // namespace roar
