#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "proto/roar/v1/server_service.grpc.pb.h"
#include "server/rpc/gate.h"

namespace roar::server {

class ServerRpc final : public v1::ServerService::Service {
 public:
  // `shut_down` asks the process to end and returns at once; called from any thread.
  ServerRpc(Gate& gate, std::function<void()> shut_down)
      : gate_(gate), shut_down_(std::move(shut_down)), started_(absl::Now()) {}

  // Known once the ports are; a call that comes earlier hears UNAVAILABLE.
  void SetInfo(v1::GetServerInfoResponse info) {
    std::lock_guard lock(mutex_);
    info_ = std::move(info);
  }

  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest*,
                             v1::GetServerInfoResponse* response) override {
    return gate_.Serve(*context, "GetServerInfo", [&]() -> absl::Status {
      std::lock_guard lock(mutex_);
      if (!info_.has_value()) return absl::UnavailableError("the coordinator is starting");
      *response = *info_;
      response->set_uptime_seconds(absl::ToInt64Seconds(absl::Now() - started_));
      return absl::OkStatus();
    });
  }

  grpc::Status Shutdown(grpc::ServerContext* context, const v1::ShutdownRequest*, v1::ShutdownResponse*) override {
    return gate_.Serve(*context, "Shutdown", [&] {
      shut_down_();
      return absl::OkStatus();
    });
  }

 private:
  Gate& gate_;
  std::function<void()> shut_down_;
  absl::Time started_;
  std::mutex mutex_;
  std::optional<v1::GetServerInfoResponse> info_;
};

}  // namespace roar::server
