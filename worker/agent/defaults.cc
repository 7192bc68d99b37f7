#include "worker/agent/defaults.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>

namespace roar::agent {
namespace {

bool IsNameCharacter(unsigned char character) {
  return character < 128 && (std::isalnum(character) || character == '.' || character == '_' || character == '-');
}

std::string EnvironmentValue(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool IsWorkerName(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), IsNameCharacter);
}

std::string DefaultWorkerName() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  std::string name = host;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char character) { return !IsNameCharacter(character); }, '-');
  return name.empty() ? "worker" : name;
}

std::filesystem::path DefaultCacheFolder() {
  // The XDG specification ignores relative paths.
  const std::filesystem::path xdg = EnvironmentValue("XDG_CACHE_HOME");
  if (xdg.is_absolute()) return xdg / "roar";
  const std::filesystem::path home = EnvironmentValue("HOME");
  if (home.is_absolute()) return home / ".cache" / "roar";
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  return (error ? "/tmp" : temporary) / ("roar-cache-" + std::to_string(getuid()));
}

std::filesystem::path BesideThisProgram(const std::string& program) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path(program) : self.parent_path() / program;
}

}  // namespace roar::agent
