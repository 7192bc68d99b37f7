#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace roar::agent {

struct RunnerOptions {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  // CPU threads that its libraries may use.
  int threads = 1;
  // Its standard output and error are appended here.
  std::filesystem::path log_path;
};

// A runner: a child process in a process group of its own, with this end of a socket pair, the other being its
// descriptor 3. It is killed when the thread that started it ends, hence that thread should also be its user.
class RunnerProcess {
 public:
  // The errors are the system's: no such program, no more processes or memory.
  static absl::StatusOr<std::unique_ptr<RunnerProcess>> Start(const RunnerOptions& options);

  // Kills the whole group.
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  // For ReadFrame and WriteFrame; a peer that stops in the middle of a message is given up after 10 s.
  int socket() const { return socket_; }

  // Ends the group: SIGTERM, then SIGKILL when the runner is still there after `grace`.
  void Terminate(absl::Duration grace);

  // For a runner that closed its socket: waits for its end, kills what is left of its group after `grace`, and says how
  // the runner ended: "signal 9 (Killed)" or "exit status 1".
  std::string Reap(absl::Duration grace);

  // The most it has used so far; 0 when unknown.
  std::int64_t PeakMemoryBytes() const;

 private:
  RunnerProcess(pid_t pid, int socket) : pid_(pid), socket_(socket) {}

  // 0 once reaped.
  pid_t pid_;
  int socket_;
};

}  // namespace roar::agent
