#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/metrics.h"
#include "server/service_state.h"
#include "server/storage/artifact_store.h"
#include "server/storage/control_store.h"

namespace roar::server {

// One thread owns the scheduler and the control data. It takes up to kBatchMost requests at a time, decides and applies
// each in memory, writes all changes in one transaction, then releases the replies: what a caller hears is durable.
// When the commit fails, memory is discarded and read back from SQLite, and the callers hear UNAVAILABLE. No transport
// in here. Thread-safe; what waits (Do, Stop) is not for the coordinator's own thread.
class Coordinator {
 public:
  static constexpr std::size_t kBatchMost = 256;

  struct Options {
    std::filesystem::path database;
    schedule::SchedulerOptions scheduler;
    // How long a Synchronize may be held while there is nothing new to say; at most a third of the lease's time.
    absl::Duration longest_hold = absl::Seconds(10);
  };
  // `artifacts` and `metrics` outlive the coordinator. Errors are those of ControlStore::Open and ServiceState::Load.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(Options options, ArtifactStore& artifacts,
                                                            Metrics& metrics);
  // Everything that waits hears UNAVAILABLE.
  ~Coordinator();

  // Runs `work` (ServiceState& -> absl::Status or absl::StatusOr<T>) on the coordinator's thread and returns what it
  // returned once that is durable.
  template <class Work>
  std::invoke_result_t<Work, ServiceState&> Do(Work work);

  struct SynchronizeCall {
    schedule::Synchronize report;
    WorkerDevice device;
    absl::Duration wait;
    // Called once, on the coordinator's thread; must not block.
    std::function<void(absl::StatusOr<SynchronizeReply>)> reply;
  };
  // Never waits. Answers when there is something new for the worker, or when the wait is over. A newer call of the same
  // worker ends an older one, which hears UNAVAILABLE.
  void Synchronize(SynchronizeCall call);

  // Ends the thread; what comes later hears UNAVAILABLE. Called by the destructor too.
  void Stop();

 private:
  struct Task {
    std::function<void(ServiceState&)> run;
    std::function<void(const absl::Status&)> release;
  };
  struct HeldCall {
    SynchronizeCall call;
    schedule::Instant hold_until;
    std::optional<SynchronizeReply> reply;
    // Whether the reply is worth giving now, and whether one was given.
    bool answer = false;
    bool answered = false;
  };

  Coordinator(Options options, std::unique_ptr<ControlStore> store, std::unique_ptr<ServiceState> state,
              ArtifactStore& artifacts, Metrics& metrics);

  void Post(Task task);
  void Loop();
  bool IsStopping();
  // Waits for requests or the next moment at which something is due. Empty when the latter came first.
  std::vector<Task> TakeBatch();
  schedule::Instant NextMoment() const;
  void RunBatch(std::vector<Task>& batch);
  absl::Status RunAndCommit(std::vector<Task>& batch);
  absl::Status EnsureState();
  Task TaskOf(const std::shared_ptr<HeldCall>& held);
  void GiveTurn(HeldCall& held);
  void Release(const std::shared_ptr<HeldCall>& held, const absl::Status& committed);
  static void Answer(HeldCall& held, absl::StatusOr<SynchronizeReply> reply);
  bool MayConcern(const HeldCall& held) const;
  void RunHeld(std::vector<Task>& batch, bool changed);
  bool HasNews(const HeldCall& held) const;

  Options options_;
  std::unique_ptr<ControlStore> store_;
  // Null after a failed commit, until it could be read back.
  std::unique_ptr<ServiceState> state_;
  ArtifactStore& artifacts_;
  Metrics& metrics_;
  // By worker.
  std::map<std::string, std::shared_ptr<HeldCall>> held_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> queue_;
  bool stopping_ = false;
  std::thread thread_;
};

template <class Work>
std::invoke_result_t<Work, ServiceState&> Coordinator::Do(Work work) {
  using Result = std::invoke_result_t<Work, ServiceState&>;
  std::promise<Result> promise;
  std::future<Result> future = promise.get_future();
  std::optional<Result> result;
  Post({[&](ServiceState& state) { result.emplace(work(state)); },
        [&](const absl::Status& committed) {
          promise.set_value(committed.ok() ? *std::move(result) : Result(committed));
        }});
  return future.get();
}

}  // namespace roar::server
