#include "client/commands/server_control.h"

#include "absl/time/clock.h"
#include "proto/roar/v1/server_service.grpc.pb.h"

namespace roar {
namespace {

constexpr absl::Duration kStopTimeout = absl::Seconds(30);
constexpr absl::Duration kPollInterval = absl::Milliseconds(50);

}  // namespace

absl::StatusOr<v1::GetServerInfoResponse> GetServerInfo(const Coordinator& coordinator) {
  return coordinator.Call<v1::ServerService>(&v1::ServerService::Stub::GetServerInfo, v1::GetServerInfoRequest());
}

absl::Status ShutDown(const Target& target, const Coordinator& coordinator) {
  v1::ShutdownRequest request;
  request.set_request_id(NewRequestId());
  const auto response = coordinator.Call<v1::ServerService>(&v1::ServerService::Stub::Shutdown, request);
  if (!response.ok()) return response.status();
  const absl::Time deadline = absl::Now() + kStopTimeout;
  while (absl::Now() < deadline) {
    if (absl::IsUnavailable(Join(target).status())) return absl::OkStatus();
    absl::SleepFor(kPollInterval);
  }
  return absl::DeadlineExceededError("the coordinator still answers; it may be finishing replies, try again");
}

}  // namespace roar
