#include "client/local_worker.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/coordinator.h"
#include "client/state_folder.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

constexpr int kMostFailuresInARow = 5;
constexpr absl::Duration kShortLife = absl::Seconds(5);
constexpr char kProgram[] = "roar-worker";

}  // namespace

absl::Status LocalWorker::KeepAlive() {
  if (child_) {
    if (child_->IsRunning()) return absl::OkStatus();
    const bool died_young = child_->HasFailed() && absl::Now() - started_at_ < kShortLife;
    failures_in_a_row_ = died_young ? failures_in_a_row_ + 1 : 0;
    child_.reset();
  }
  const auto log_file = LogFileOf(state_folder_, kProgram);
  if (failures_in_a_row_ >= kMostFailuresInARow) {
    return absl::InternalError(
        absl::StrCat("the worker keeps ending: ", LastLogLine(log_file), "; see ", log_file.string()));
  }
  const std::string lock_file = state_folder_ / "worker.lock";
  const int descriptor = open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return SystemError(absl::StrCat("open ", lock_file));
  absl::Status status;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) status = StartWithLock(descriptor);
  close(descriptor);
  return status;
}

absl::Status LocalWorker::StartWithLock(int lock_descriptor) {
  absl::StatusOr<ChildProcess> child = ChildProcess::Start(
      {.program = SiblingProgram(kProgram),
       .arguments = {"--access", AccessFileOf(state_folder_).string(), "--slots", absl::StrCat(slots_), "--cache",
                     (state_folder_ / "worker-cache").string(), "--idle-exit", absl::StrCat(kIdleExitSeconds)},
       .log_file = LogFileOf(state_folder_, kProgram),
       .kept_descriptor = lock_descriptor});
  if (!child.ok()) return child.status();
  child_ = *std::move(child);
  started_at_ = absl::Now();
  return absl::OkStatus();
}

void LocalWorker::Stop(absl::Duration grace) {
  if (child_) child_->Stop(grace);
}

}  // namespace roar
