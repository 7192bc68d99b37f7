#include "client/state_folder.h"

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"

namespace roar {
namespace {

constexpr char kLogFolder[] = "logs";

// The XDG specification has relative values ignored.
std::filesystem::path FolderFromEnvironment(const char* variable) {
  const char* value = std::getenv(variable);
  const std::filesystem::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : "";
}

}  // namespace

absl::StatusOr<std::filesystem::path> DefaultStateFolder() {
  if (const auto folder = FolderFromEnvironment("XDG_STATE_HOME"); !folder.empty()) return folder / "roar";
  if (const auto home = FolderFromEnvironment("HOME"); !home.empty()) return home / ".local/state/roar";
  return absl::InvalidArgumentError("no state folder: neither XDG_STATE_HOME nor HOME is set; give --state DIR");
}

std::filesystem::path AccessFileOf(const std::filesystem::path& state_folder) { return state_folder / "access.json"; }

std::filesystem::path LogFileOf(const std::filesystem::path& state_folder, const std::string& program) {
  return state_folder / kLogFolder / absl::StrCat(program, ".log");
}

absl::Status MakeStateFolder(const std::filesystem::path& state_folder) {
  std::error_code error;
  const bool is_new = std::filesystem::create_directories(state_folder / kLogFolder, error);
  if (!error && is_new) {
    std::filesystem::permissions(state_folder, std::filesystem::perms::owner_all, error);
  }
  if (!error) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("state folder ", state_folder.string(), ": ", error.message(), "; give another with --state DIR"));
}

std::filesystem::path SiblingProgram(const std::string& name) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name;
}

}  // namespace roar
