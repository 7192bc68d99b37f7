#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "client/coordinator.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {

// Follows a sweep in a thread of its own, across restarts of the coordinator: when the stream breaks, it connects again
// and goes on. One thread uses it.
class SweepFollower {
 public:
  // Gives a coordinator that answers; called from the follower's thread. `was_stopped`: the last one was stopped in
  // good order, so that none should be started. Unavailable and DeadlineExceeded are tried again, any other error ends
  // the following.
  using Connect = std::function<absl::StatusOr<Coordinator>(bool was_stopped)>;

  SweepFollower(std::int64_t sweep_id, Connect connect);
  ~SweepFollower();

  // The newest state not seen yet, waiting for it at most `timeout`; nothing when there is none in that time. The error
  // that ended the following, once.
  absl::StatusOr<std::optional<v1::SweepInfo>> Next(absl::Duration timeout);

  // How long the coordinator has been out of reach; zero while connected.
  absl::Duration DisconnectedFor() const;
  // Since it was stopped in good order; zero while connected or when it went away in any other way.
  absl::Duration StoppedFor() const;

 private:
  void Run();
  // Reads one stream to its end. True when nothing more is to be expected.
  bool FollowOnce(const Coordinator& coordinator);
  void Publish(const v1::SweepInfo& sweep);
  // Tells an error that ends the following, or notes that the connection is lost.
  bool EndsWith(const absl::Status& status);
  bool WasStopped() const;
  bool HasNews() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return news_.has_value() || !error_.ok(); }

  const std::int64_t sweep_id_;
  const Connect connect_;

  mutable absl::Mutex mutex_;
  std::optional<v1::SweepInfo> news_ ABSL_GUARDED_BY(mutex_);
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  absl::Time lost_at_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  bool was_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Of the stream that is open, to end it from outside.
  grpc::ClientContext* open_context_ ABSL_GUARDED_BY(mutex_) = nullptr;

  std::thread thread_;
};

}  // namespace roar
