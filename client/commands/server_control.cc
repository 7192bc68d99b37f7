#include "client/commands/server_control.h"

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/roar/v1/server_service.grpc.pb.h"

namespace roar {
namespace {

constexpr absl::Duration kStopTimeout = absl::Seconds(30);
constexpr absl::Duration kPollInterval = absl::Milliseconds(50);

// A process of this machine that still holds its files. One that has ended but that its parent has not asked about yet
// (state Z, proc(5)) does not.
bool IsAlive(std::int64_t process_id) {
  std::ifstream file(absl::StrCat("/proc/", process_id, "/stat"));
  std::string stat;
  if (!std::getline(file, stat)) return false;
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat[name_end + 2] != 'Z';
}

}  // namespace

absl::StatusOr<v1::GetServerInfoResponse> GetServerInfo(const Coordinator& coordinator) {
  return coordinator.Call<v1::ServerService>(&v1::ServerService::Stub::GetServerInfo, v1::GetServerInfoRequest());
}

absl::Status ShutDown(const Target& target, const Coordinator& coordinator) {
  const absl::StatusOr<v1::GetServerInfoResponse> info = GetServerInfo(coordinator);
  if (!info.ok()) return info.status();
  v1::ShutdownRequest request;
  request.set_request_id(NewRequestId());
  const auto response = coordinator.Call<v1::ServerService>(&v1::ServerService::Stub::Shutdown, request);
  if (!response.ok()) return response.status();
  const absl::Time deadline = absl::Now() + kStopTimeout;
  while (absl::Now() < deadline) {
    // It has let its folder go only when its process has ended, of which only this machine's can be told.
    const bool is_ending = target.MayStart() && IsAlive(info->process_id());
    if (!is_ending && absl::IsUnavailable(Join(target).status())) return absl::OkStatus();
    absl::SleepFor(kPollInterval);
  }
  return absl::DeadlineExceededError("the coordinator still answers; it may be finishing replies, try again");
}

}  // namespace roar
