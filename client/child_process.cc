#include "client/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace roar {
namespace {

constexpr absl::Duration kPollInterval = absl::Milliseconds(20);

// The two structures of posix_spawn, freed at the end of the scope.
class SpawnSettings {
 public:
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  void SendOutputTo(const std::filesystem::path& log_file) {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
  }

  // Duplicating a descriptor onto itself clears its close-on-exec flag.
  void Keep(int descriptor) { posix_spawn_file_actions_adddup2(&actions_, descriptor, descriptor); }

  void OwnSessionAndDefaultSignals() {
    sigset_t all;
    sigfillset(&all);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }

  int Spawn(const std::filesystem::path& program, char* const* arguments, pid_t& process_id) {
    return posix_spawn(&process_id, program.c_str(), &actions_, &attributes_, arguments, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

absl::StatusOr<ChildProcess> ChildProcess::Start(const ChildOptions& options) {
  SpawnSettings settings;
  settings.SendOutputTo(options.log_file);
  if (options.kept_descriptor >= 0) settings.Keep(options.kept_descriptor);
  settings.OwnSessionAndDefaultSignals();

  std::vector<std::string> words = {options.program.string()};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  pid_t process_id = 0;
  const int error = settings.Spawn(options.program, arguments.data(), process_id);
  if (error == 0) return ChildProcess(process_id);
  const std::string message =
      absl::StrCat("start ", options.program.string(), ", log ", options.log_file.string(), ": ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::InternalError(message);
}

bool ChildProcess::IsRunning() {
  int status = 0;
  if (has_ended_) return false;
  if (waitpid(process_id_, &status, WNOHANG) != process_id_) return true;
  has_ended_ = true;
  has_failed_ = WIFEXITED(status) && WEXITSTATUS(status) != 0;
  return false;
}

void ChildProcess::Stop(absl::Duration grace) {
  const absl::Time deadline = absl::Now() + grace;
  if (IsRunning()) kill(process_id_, SIGTERM);
  while (IsRunning() && absl::Now() < deadline) absl::SleepFor(kPollInterval);
  if (IsRunning()) kill(process_id_, SIGKILL);
  while (IsRunning()) absl::SleepFor(kPollInterval);
}

std::string LastLogLine(const std::filesystem::path& log_file) {
  std::ifstream stream(log_file);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace roar
