#pragma once

#include "proto/roar/v1/worker_service.grpc.pb.h"
#include "server/coordinator.h"
#include "server/rpc/gate.h"

namespace roar::server {

// Synchronize is served by callbacks, so that a held call costs no thread.
class WorkerRpc final : public v1::WorkerService::WithCallbackMethod_Synchronize<v1::WorkerService::Service> {
 public:
  WorkerRpc(Coordinator& coordinator, Gate& gate, absl::Duration lease_ttl)
      : coordinator_(coordinator), gate_(gate), lease_ttl_(lease_ttl) {}

  grpc::ServerUnaryReactor* Synchronize(grpc::CallbackServerContext* context, const v1::SynchronizeRequest* request,
                                        v1::SynchronizeResponse* response) override;
  grpc::Status ListWorkers(grpc::ServerContext* context, const v1::ListWorkersRequest* request,
                           v1::ListWorkersResponse* response) override;

 private:
  void Pack(const SynchronizeReply& reply, v1::SynchronizeResponse& response) const;

  Coordinator& coordinator_;
  Gate& gate_;
  absl::Duration lease_ttl_;
};

}  // namespace roar::server
