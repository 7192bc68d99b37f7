#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace roar {

struct ChildOptions {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  // Standard output and error are appended here; standard input is empty.
  std::filesystem::path log_file;
  // A descriptor that the child keeps open under the same number, or -1.
  int kept_descriptor = -1;
};

// A program that was started in a session of its own: Ctrl-C here does not reach it, and it outlives this object and
// process unless Stop() is called. Not for several threads at once.
class ChildProcess {
 public:
  // NotFound or Internal, with the system's reason, when it cannot be started.
  static absl::StatusOr<ChildProcess> Start(const ChildOptions& options);

  // Reaps the process when it has ended.
  bool IsRunning();
  // Whether it ended by itself with an exit status other than 0; a signal does not count.
  bool HasFailed() const { return has_failed_; }
  // Asks it to end, and after `grace` makes it. Returns when it has.
  void Stop(absl::Duration grace);

 private:
  explicit ChildProcess(pid_t process_id) : process_id_(process_id) {}

  pid_t process_id_;
  bool has_ended_ = false;
  bool has_failed_ = false;
};

// The last line of a log file that says something, for messages; empty when there is none.
std::string LastLogLine(const std::filesystem::path& log_file);

}  // namespace roar
