#include "worker/agent/slot.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/transport/framing.h"

namespace roar::agent {
namespace {

using schedule::FailureKind;
using schedule::Phase;

constexpr int kTransferErrorsMost = 3;

v1::RunnerMessage::Done Failure(FailureKind kind, const std::string& reason) {
  v1::RunnerMessage::Done done;
  done.mutable_failure()->set_kind(std::string(Name(kind)));
  done.mutable_failure()->set_reason(reason);
  return done;
}

// What staging or uploading could not do. Errors of this machine or moment, not of the job, give it back.
FailureKind KindOfFailure(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kDataLoss:
      return FailureKind::kDeterministic;
    default:
      return FailureKind::kPreempted;
  }
}

bool IsAway(const absl::Status& status) { return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status); }

bool Failed(const v1::RunnerMessage::Done& done, FailureKind kind) {
  return done.has_failure() && done.failure().kind() == Name(kind);
}

double SecondsSince(absl::Duration start) { return absl::ToDoubleSeconds(SteadyNow() - start); }

std::string ShortKey(const std::string& key) { return key.substr(0, 12); }

}  // namespace

Slot::Slot(SlotOptions options, ArtifactCache& cache, EndedCallback on_ended)
    : options_(std::move(options)), cache_(cache), on_ended_(std::move(on_ended)), thread_([this] { Loop(); }) {}

Slot::~Slot() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wakeup_.Notify();
  thread_.join();
}

void Slot::Start(v1::DesiredJob job) {
  {
    std::lock_guard lock(mutex_);
    next_job_ = std::move(job);
    progress_.Clear();
    phases_seen_ = {std::string(Name(Phase::kStaging))};
    progress_.set_phase(std::string(Name(Phase::kStaging)));
    active_ = true;
  }
  wakeup_.Notify();
}

void Slot::Stop() {
  {
    std::lock_guard lock(mutex_);
    stop_requested_ = active_;
  }
  wakeup_.Notify();
}

v1::RunningJob Slot::progress() const {
  std::lock_guard lock(mutex_);
  return progress_;
}

void Slot::SetProgress(const std::string& phase, double progress) {
  const std::int64_t peak_memory_bytes = runner_ == nullptr ? 0 : runner_->PeakMemoryBytes();
  std::lock_guard lock(mutex_);
  if (phases_seen_.insert(phase).second) spdlog::info("slot {}: {}", options_.index, phase);
  progress_.set_phase(phase);
  progress_.set_progress(progress);
  progress_.set_peak_memory_bytes(peak_memory_bytes);
}

bool Slot::StopRequested() const {
  std::lock_guard lock(mutex_);
  return stop_requested_ || closing_;
}

void Slot::Loop() {
  while (const std::optional<v1::DesiredJob> job = NextJob()) {
    const std::optional<v1::FinishedJob> finished = Run(*job);
    {
      std::lock_guard lock(mutex_);
      active_ = stop_requested_ = false;
    }
    on_ended_(options_.index, finished.has_value() ? &*finished : nullptr);
  }
  if (runner_ != nullptr) runner_->Terminate(options_.stop_grace);
}

std::optional<v1::DesiredJob> Slot::NextJob() {
  while (true) {
    wakeup_.Clear();
    {
      std::lock_guard lock(mutex_);
      if (closing_) return std::nullopt;
      if (next_job_.has_value()) return std::exchange(next_job_, std::nullopt);
    }
    WaitReadable(wakeup_.fd(), -1, absl::InfiniteDuration());
  }
}

std::optional<v1::FinishedJob> Slot::Run(const v1::DesiredJob& job) {
  spdlog::info("slot {}: job {} starts, attempt {}: staging", options_.index, ShortKey(job.key()), job.attempt());
  EmptyScratch();
  absl::StatusOr<v1::RunnerMessage::Done> done = Attempt(job);
  EmptyScratch();
  if (StopRequested()) {
    if (runner_ != nullptr) runner_->Terminate(options_.stop_grace);
    runner_.reset();
    spdlog::info("slot {}: job {} is stopped", options_.index, ShortKey(job.key()));
    return std::nullopt;
  }
  if (!done.ok()) done = Failure(KindOfFailure(done.status().code()), std::string(done.status().message()));
  // A runner that ran out of memory may hold on to what it had.
  if (Failed(*done, FailureKind::kOutOfMemory)) runner_.reset();
  // The inputs may have been damaged on this disk: the next attempt reads fresh ones.
  if (Failed(*done, FailureKind::kDeterministic)) {
    for (const v1::ArtifactInput& input : job.inputs()) cache_.Drop(input.role(), input.sha256());
  }
  v1::FinishedJob finished;
  finished.set_key(job.key());
  if (done->has_result()) {
    spdlog::info("slot {}: job {} is done", options_.index, ShortKey(job.key()));
    *finished.mutable_result() = std::move(*done->mutable_result());
  } else {
    spdlog::warn("slot {}: job {} failed: {}: {}", options_.index, ShortKey(job.key()), done->failure().kind(),
                 done->failure().reason());
    *finished.mutable_failure() = std::move(*done->mutable_failure());
  }
  return finished;
}

absl::StatusOr<v1::RunnerMessage::Done> Slot::Attempt(const v1::DesiredJob& job) {
  seconds_.clear();
  const absl::Duration fetching = SteadyNow();
  const absl::StatusOr<v1::RunJob> run_job = Stage(job);
  if (!run_job.ok()) return run_job.status();
  seconds_["fetching"] = SecondsSince(fetching);
  absl::StatusOr<v1::RunnerMessage::Done> done = Execute(*run_job);
  if (!done.ok() || !done->has_result()) return done;

  v1::JobResult& result = *done->mutable_result();
  const absl::Duration uploading = SteadyNow();
  SetProgress(std::string(Name(Phase::kUploading)), 1);
  if (absl::Status uploaded = Upload(result); !uploaded.ok()) return uploaded;
  seconds_[std::string(Name(Phase::kUploading))] = SecondsSince(uploading);
  result.mutable_provenance()->set_worker(options_.worker);
  result.mutable_provenance()->mutable_seconds_by_phase()->insert(seconds_.begin(), seconds_.end());
  return done;
}

absl::StatusOr<v1::RunJob> Slot::Stage(const v1::DesiredJob& job) {
  v1::RunJob run_job;
  run_job.set_key(job.key());
  *run_job.mutable_spec() = job.spec();
  if (job.has_explained_train()) *run_job.mutable_explained_train() = job.explained_train();
  if (job.has_whole()) *run_job.mutable_whole() = job.whole();
  run_job.set_output_path(OutputPath().string());
  for (const v1::ArtifactInput& artifact : job.inputs()) {
    v1::InputFile& input = *run_job.add_inputs();
    input.set_role(artifact.role());
    input.set_sha256(artifact.sha256());
    const absl::Status fetched =
        Transfer(absl::StrCat("fetch the ", artifact.role(), " ", artifact.sha256()), [&]() -> absl::Status {
          const absl::StatusOr<std::filesystem::path> path = cache_.Fetch(artifact.role(), artifact.sha256());
          if (path.ok()) input.set_path(path->string());
          return path.status();
        });
    if (!fetched.ok()) return fetched;
  }
  return run_job;
}

absl::StatusOr<v1::RunnerMessage::Done> Slot::Execute(const v1::RunJob& job) {
  if (absl::Status ready = EnsureRunner(); !ready.ok()) {
    return Failure(FailureKind::kRunnerCrashed, std::string(ready.message()));
  }
  if (!WriteFrame(runner_->socket(), job).ok()) return RunnerCrashed();
  while (!StopRequested()) {
    WaitReadable(runner_->socket(), wakeup_.fd(), absl::InfiniteDuration());
    wakeup_.Clear();
    if (!IsReadable(runner_->socket())) continue;
    v1::RunnerMessage message;
    if (!ReadFrame(runner_->socket(), message).ok()) return RunnerCrashed();
    if (runner_spawned_) seconds_["starting"] = SecondsSince(*std::exchange(runner_spawned_, std::nullopt));
    if (message.has_done()) return message.done();
    SetProgress(message.progress().phase(), message.progress().progress());
  }
  return absl::CancelledError("stopped");
}

// A runner speaks only when it has a job, so that an idle one whose socket is readable has died.
absl::Status Slot::EnsureRunner() {
  if (runner_ != nullptr && IsReadable(runner_->socket())) {
    spdlog::warn("slot {}: the idle runner ended: {}", options_.index, runner_->Reap(options_.stop_grace));
    runner_.reset();
  }
  if (runner_ != nullptr) return absl::OkStatus();
  runner_spawned_ = SteadyNow();
  absl::StatusOr<std::unique_ptr<RunnerProcess>> started = RunnerProcess::Start(options_.runner);
  if (!started.ok()) return started.status();
  runner_ = *std::move(started);
  return absl::OkStatus();
}

v1::RunnerMessage::Done Slot::RunnerCrashed() {
  const std::string end = runner_->Reap(options_.stop_grace);
  runner_.reset();
  return Failure(FailureKind::kRunnerCrashed, absl::StrCat("the runner ended in the midst of the job: ", end,
                                                           "; its log is ", options_.runner.log_path.string()));
}

absl::Status Slot::Upload(const v1::JobResult& result) {
  const std::string role = result.has_train() ? "checkpoint" : "ranking";
  const std::string& sha256 =
      result.has_train() ? result.train().checkpoint_sha256() : result.explain().ranking_sha256();
  return Transfer("upload the " + role, [&] {
    const absl::Status stored = cache_.Store(role, sha256, OutputPath());
    // The coordinator's disk is full: the result stays here until there is room.
    return absl::IsResourceExhausted(stored) ? absl::UnavailableError(stored.message()) : stored;
  });
}

absl::Status Slot::Transfer(const std::string& what, const std::function<absl::Status()>& transfer) {
  int errors = 0;
  absl::Duration wait = options_.retry_wait;
  while (true) {
    const absl::Status status = transfer();
    if (StopRequested()) return absl::CancelledError("stopped");
    if (status.ok()) return status;
    if (!IsAway(status) && ++errors == kTransferErrorsMost) {
      return absl::Status(status.code(), absl::StrCat(what, ": ", std::string(status.message())));
    }
    spdlog::warn("slot {}: {}: {}; trying again", options_.index, what, std::string(status.message()));
    WaitReadable(wakeup_.fd(), -1, wait);
    wakeup_.Clear();
    if (StopRequested()) return absl::CancelledError("stopped");
    wait = std::min(2 * wait, options_.retry_wait_longest);
  }
}

void Slot::EmptyScratch() const {
  std::error_code ignored;
  std::filesystem::remove_all(options_.scratch_folder, ignored);
  std::filesystem::create_directories(options_.scratch_folder, ignored);
}

}  // namespace roar::agent
