#include "worker/runner/serve.h"

#include <signal.h>
#include <sys/prctl.h>

#include "proto/transport/framing.h"

namespace roar::runner {

void DieWithAgent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

absl::Status ServeJobs(int socket, JobRunner& runner) {
  const ProgressSink send_progress = [&](const v1::RunnerMessage::Progress& progress) {
    v1::RunnerMessage message;
    *message.mutable_progress() = progress;
    return WriteFrame(socket, message).ok();
  };
  while (true) {
    v1::RunJob job;
    const absl::Status read = ReadFrame(socket, job);
    if (absl::IsOutOfRange(read)) return absl::OkStatus();
    if (!read.ok()) return read;
    v1::RunnerMessage message;
    *message.mutable_done() = runner.Run(job, send_progress);
    const absl::Status written = WriteFrame(socket, message);
    if (absl::IsUnavailable(written)) return absl::OkStatus();
    if (!written.ok()) return written;
  }
}

}  // namespace roar::runner
