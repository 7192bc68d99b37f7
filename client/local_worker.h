#pragma once

#include <filesystem>
#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/child_process.h"

namespace roar {

// The worker of a state folder on this machine: exactly one lives at a time, whichever `roar run` started it. A lock
// file that the worker's process holds open says so; the system frees the lock when the process ends, however it ends.
class LocalWorker {
 public:
  LocalWorker(std::filesystem::path state_folder, int slots) : state_folder_(std::move(state_folder)), slots_(slots) {}

  // Starts the worker unless one lives; cheap, to be called again and again. Internal, with its last words, when the
  // worker keeps ending by itself right after its start.
  absl::Status KeepAlive();

  // Ends the worker if this object started it.
  void Stop(absl::Duration grace);

 private:
  absl::Status StartWithLock(int lock_descriptor);

  std::filesystem::path state_folder_;
  int slots_;
  std::optional<ChildProcess> child_;
  absl::Time started_at_ = absl::InfinitePast();
  int failures_in_a_row_ = 0;
};

}  // namespace roar
