#include "worker/agent/runner_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/transport/durable_file.h"
#include "worker/agent/wakeup.h"

namespace roar::agent {
namespace {

constexpr int kRunnerSocket = 3;

// posix_spawn's two parameter objects, filled in.
class SpawnParameters {
 public:
  SpawnParameters(int runner_socket, const std::string& log_path) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, runner_socket, kRunnerSocket);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);

    // The agent blocks the signals that it waits for; a runner has none blocked and none handled.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnParameters() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnParameters(const SpawnParameters&) = delete;
  SpawnParameters& operator=(const SpawnParameters&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// This process's environment with the thread counts of the runner's libraries.
std::vector<std::string> Environment(int threads) {
  std::vector<std::string> variables = {"OPENBLAS_NUM_THREADS=1", absl::StrCat("OMP_NUM_THREADS=", threads)};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!absl::StartsWith(*variable, "OPENBLAS_NUM_THREADS=") && !absl::StartsWith(*variable, "OMP_NUM_THREADS=")) {
      variables.push_back(*variable);
    }
  }
  return variables;
}

// The null-terminated form of system calls; valid while `strings` is.
std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void LimitWaiting(int socket) {
  const timeval limit = {.tv_sec = 10, .tv_usec = 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

std::string DescribeEnd(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return absl::StrCat("exit status ", WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  return absl::StrCat("signal ", number, " (", strsignal(number), ")");
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunnerProcess>> RunnerProcess::Start(const RunnerOptions& options) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return SystemError("make a socket pair");
  LimitWaiting(sockets[0]);

  const std::string program = options.program.string();
  std::vector<std::string> arguments = options.arguments;
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> environment = Environment(options.threads);
  const SpawnParameters parameters(sockets[1], options.log_path.string());
  pid_t pid = 0;
  const int error = posix_spawn(&pid, program.c_str(), parameters.actions(), parameters.attributes(),
                                Pointers(arguments).data(), Pointers(environment).data());
  close(sockets[1]);
  if (error != 0) {
    close(sockets[0]);
    errno = error;
    return SystemError("start " + program);
  }
  return std::unique_ptr<RunnerProcess>(new RunnerProcess(pid, sockets[0]));
}

RunnerProcess::~RunnerProcess() {
  Reap(absl::ZeroDuration());
  close(socket_);
}

void RunnerProcess::Terminate(absl::Duration grace) {
  if (pid_ == 0) return;
  kill(-pid_, SIGTERM);
  Reap(grace);
}

std::string RunnerProcess::Reap(absl::Duration grace) {
  if (pid_ == 0) return "";
  // By number, since Debian's <sys/pidfd.h> does not declare it for C++.
  if (const int ended = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)); ended >= 0) {
    WaitReadable(ended, -1, grace);
    close(ended);
  }
  // Until it is waited for, the process keeps its number, so this reaches its own group and no other.
  kill(-pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return DescribeEnd(status);
}

std::int64_t RunnerProcess::PeakMemoryBytes() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string field; status >> field;) {
    std::int64_t kibibytes = 0;
    if (field == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

}  // namespace roar::agent
