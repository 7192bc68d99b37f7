#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/schedule/job_state.h"
#include "proto/roar/v1/runner.pb.h"
#include "proto/roar/v1/worker_service.pb.h"
#include "worker/agent/artifact_cache.h"
#include "worker/agent/runner_process.h"
#include "worker/agent/wakeup.h"

namespace roar::agent {

struct SlotOptions {
  int index = 0;
  // The worker's name, for provenance.
  std::string worker;
  RunnerOptions runner;
  // The slot's own; emptied before and after each job.
  std::filesystem::path scratch_folder;
  // Between SIGTERM and SIGKILL.
  absl::Duration stop_grace = absl::Seconds(5);
  // Before a failed transfer is tried again; doubled each time, up to the longest.
  absl::Duration retry_wait = absl::Milliseconds(500);
  absl::Duration retry_wait_longest = absl::Seconds(15);
};

// A place for one job at a time: a thread that fetches the inputs, has the job done by a runner process, and uploads
// the output. The runner stays for the next job and is started again when it has died.
class Slot {
 public:
  // Called on the slot's thread after each job, when the slot is free again: with the job's key and outcome, or null
  // when it was stopped.
  using EndedCallback = std::function<void(int slot, const v1::FinishedJob* finished)>;

  // `cache` must outlive the slot.
  Slot(SlotOptions options, ArtifactCache& cache, EndedCallback on_ended);
  // Stops what runs; waits for a transfer under way.
  ~Slot();

  // The slot must be free.
  void Start(v1::DesiredJob job);

  // Ends the job and its runner's process group. OnEnded follows; nothing happens in a free slot.
  void Stop();

  // Phase, progress and peak memory of the running job; the key is not filled.
  v1::RunningJob progress() const;

 private:
  void Loop();
  // Waits for a job; null at the slot's end.
  std::optional<v1::DesiredJob> NextJob();
  std::optional<v1::FinishedJob> Run(const v1::DesiredJob& job);

  // The steps of a job. CancelledError when it is to stop.
  absl::StatusOr<v1::RunnerMessage::Done> Attempt(const v1::DesiredJob& job);
  absl::StatusOr<v1::RunJob> Stage(const v1::DesiredJob& job);
  absl::StatusOr<v1::RunnerMessage::Done> Execute(const v1::RunJob& job);
  absl::Status Upload(const v1::JobResult& result);

  absl::Status EnsureRunner();
  v1::RunnerMessage::Done RunnerCrashed();
  // Repeats a transfer while the coordinator is away; gives up after a few errors of another kind.
  absl::Status Transfer(const std::string& what, const std::function<absl::Status()>& transfer);

  std::filesystem::path OutputPath() const { return options_.scratch_folder / "output"; }
  void EmptyScratch() const;
  void SetProgress(const std::string& phase, double progress);
  bool StopRequested() const;

  const SlotOptions options_;
  ArtifactCache& cache_;
  const EndedCallback on_ended_;

  Wakeup wakeup_;
  mutable std::mutex mutex_;
  // Under mutex_. A job is waiting, or active, or neither.
  std::optional<v1::DesiredJob> next_job_;
  v1::RunningJob progress_;
  // Of the running job: training and evaluating alternate, and the log tells each once.
  std::set<std::string> phases_seen_;
  bool active_ = false;
  bool stop_requested_ = false;
  bool closing_ = false;

  // Of the thread alone.
  std::unique_ptr<RunnerProcess> runner_;
  // Until the runner's first message, which tells that it is ready.
  std::optional<absl::Duration> runner_spawned_;
  // Of the running job, by the names in Provenance: what the runner does not know.
  std::map<std::string, double> seconds_;
  std::thread thread_;
};

}  // namespace roar::agent
