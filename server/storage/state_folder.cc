#include "server/storage/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "proto/transport/durable_file.h"

namespace roar::server {
namespace {

struct NetworkFileSystem {
  std::uint32_t statfs_type;
  const char* name;
};
// Magic numbers of statfs(2), and of the vendors' kernel modules.
constexpr NetworkFileSystem kNetworkFileSystems[] = {
    {0x6969, "NFS"},        {0x517b, "SMB"},      {0xff534d42, "SMB (CIFS)"}, {0xfe534d42, "SMB 2"},
    {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"},
};

std::string HolderOf(int descriptor) {
  char text[32] = {};
  const ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
  return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "unknown";
}

absl::Status WriteHolder(int descriptor) {
  const std::string text = std::to_string(getpid());
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text.data(), text.size(), 0) < 0) {
    return SystemError("write the process id into the lock file");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckFileSystemType(const std::filesystem::path& path, std::uint32_t statfs_type) {
  for (const NetworkFileSystem& known : kNetworkFileSystems) {
    if (known.statfs_type == statfs_type) {
      return absl::FailedPreconditionError(absl::StrCat(path.string(), " is on ", known.name,
                                                        ", where SQLite's locks fail: choose a local disk by --state"));
    }
  }
  return absl::OkStatus();
}

StateFolder::StateFolder(std::filesystem::path path, int lock_descriptor)
    : path_(std::move(path)), lock_descriptor_(lock_descriptor) {}

StateFolder::~StateFolder() { close(lock_descriptor_); }

absl::StatusOr<std::unique_ptr<StateFolder>> StateFolder::Open(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return absl::PermissionDeniedError(absl::StrCat("create ", path.string(), ": ", error.message()));
  const std::filesystem::path folder = std::filesystem::canonical(path, error);
  if (error) return absl::NotFoundError(absl::StrCat(path.string(), ": ", error.message()));
  struct statfs information {};
  if (statfs(folder.c_str(), &information) != 0) return SystemError(absl::StrCat("look at ", folder.string()));
  const auto type = static_cast<std::uint32_t>(information.f_type);
  if (absl::Status status = CheckFileSystemType(folder, type); !status.ok()) return status;
  if (chmod(folder.c_str(), 0700) != 0) return SystemError(absl::StrCat("make ", folder.string(), " private"));

  const int descriptor = open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return SystemError(absl::StrCat("open ", (folder / "lock").string()));
  std::unique_ptr<StateFolder> held(new StateFolder(folder, descriptor));
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return SystemError(absl::StrCat("lock ", (folder / "lock").string()));
    return absl::AlreadyExistsError(
        absl::StrCat("the coordinator with process id ", HolderOf(descriptor), " holds ", folder.string()));
  }
  if (absl::Status status = WriteHolder(descriptor); !status.ok()) return status;
  return held;
}

}  // namespace roar::server
