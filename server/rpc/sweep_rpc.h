#pragma once

#include "proto/roar/v1/sweep_service.grpc.pb.h"
#include "server/coordinator.h"
#include "server/rpc/gate.h"

namespace roar::server {

class SweepRpc final : public v1::SweepService::Service {
 public:
  SweepRpc(Coordinator& coordinator, Gate& gate) : coordinator_(coordinator), gate_(gate) {}

  // Ends the streams of WatchSweep with UNAVAILABLE.
  void Stop() { stopping_ = true; }

  grpc::Status SubmitSweep(grpc::ServerContext* context, const v1::SubmitSweepRequest* request,
                           v1::SubmitSweepResponse* response) override;
  grpc::Status ListSweeps(grpc::ServerContext* context, const v1::ListSweepsRequest* request,
                          v1::ListSweepsResponse* response) override;
  grpc::Status GetSweep(grpc::ServerContext* context, const v1::GetSweepRequest* request,
                        v1::GetSweepResponse* response) override;
  grpc::Status WatchSweep(grpc::ServerContext* context, const v1::WatchSweepRequest* request,
                          grpc::ServerWriter<v1::WatchSweepResponse>* writer) override;
  grpc::Status CancelSweep(grpc::ServerContext* context, const v1::CancelSweepRequest* request,
                           v1::CancelSweepResponse* response) override;
  grpc::Status GetResults(grpc::ServerContext* context, const v1::GetResultsRequest* request,
                          v1::GetResultsResponse* response) override;

 private:
  absl::Status Watch(grpc::ServerContext& context, std::int64_t sweep_id,
                     grpc::ServerWriter<v1::WatchSweepResponse>& writer);
  absl::Status AssembleResults(std::int64_t sweep_id, v1::GetResultsResponse& response);

  Coordinator& coordinator_;
  Gate& gate_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace roar::server
