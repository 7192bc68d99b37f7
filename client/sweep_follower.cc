#include "client/sweep_follower.h"

#include <algorithm>

#include "absl/time/clock.h"

namespace roar {
namespace {

// A stream is opened anew after so long at the latest.
constexpr absl::Duration kStreamTimeout = absl::Hours(1);
constexpr absl::Duration kReconnectPause = absl::Milliseconds(300);

// What a coordinator that goes away or comes back may cause.
bool IsPassing(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) || absl::IsCancelled(status) ||
         absl::IsAborted(status);
}

}  // namespace

SweepFollower::SweepFollower(std::int64_t sweep_id, Connect connect)
    : sweep_id_(sweep_id), connect_(std::move(connect)), thread_([this] { Run(); }) {}

SweepFollower::~SweepFollower() {
  {
    absl::MutexLock lock(&mutex_);
    is_stopping_ = true;
    if (open_context_ != nullptr) open_context_->TryCancel();
  }
  thread_.join();
}

absl::StatusOr<std::optional<v1::SweepInfo>> SweepFollower::Next(absl::Duration timeout) {
  absl::MutexLock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(this, &SweepFollower::HasNews), timeout);
  if (news_) return std::exchange(news_, std::nullopt);
  if (!error_.ok()) return error_;
  return std::nullopt;
}

absl::Duration SweepFollower::DisconnectedFor() const {
  absl::MutexLock lock(&mutex_);
  return std::max(absl::ZeroDuration(), absl::Now() - lost_at_);
}

absl::Duration SweepFollower::StoppedFor() const { return WasStopped() ? DisconnectedFor() : absl::ZeroDuration(); }

bool SweepFollower::WasStopped() const {
  absl::MutexLock lock(&mutex_);
  return was_stopped_;
}

void SweepFollower::Run() {
  for (;;) {
    const absl::StatusOr<Coordinator> coordinator = connect_(WasStopped());
    if (coordinator.ok() ? FollowOnce(*coordinator) : EndsWith(coordinator.status())) return;
    absl::MutexLock lock(&mutex_);
    if (mutex_.AwaitWithTimeout(absl::Condition(&is_stopping_), kReconnectPause)) return;
  }
}

bool SweepFollower::FollowOnce(const Coordinator& coordinator) {
  grpc::ClientContext context;
  PrepareCall(context, coordinator.access(), kStreamTimeout);
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopping_) return true;
    open_context_ = &context;
  }
  v1::WatchSweepRequest request;
  request.set_sweep_id(sweep_id_);
  const auto stub = v1::SweepService::NewStub(coordinator.channel());
  const auto reader = stub->WatchSweep(&context, request);
  v1::WatchSweepResponse response;
  while (reader->Read(&response)) Publish(response.sweep());
  const grpc::Status status = reader->Finish();
  {
    absl::MutexLock lock(&mutex_);
    open_context_ = nullptr;
  }
  return status.ok() || EndsWith(coordinator.Explain(status));
}

void SweepFollower::Publish(const v1::SweepInfo& sweep) {
  absl::MutexLock lock(&mutex_);
  news_ = sweep;
  was_stopped_ = false;
  lost_at_ = absl::InfiniteFuture();
}

bool SweepFollower::EndsWith(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  lost_at_ = std::min(lost_at_, absl::Now());
  was_stopped_ |= absl::IsAborted(status);
  if (IsPassing(status)) return false;
  error_ = status;
  return true;
}

}  // namespace roar
