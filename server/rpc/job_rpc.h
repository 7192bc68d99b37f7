#pragma once

#include "proto/roar/v1/job_service.grpc.pb.h"
#include "server/coordinator.h"
#include "server/rpc/gate.h"

namespace roar::server {

class JobRpc final : public v1::JobService::Service {
 public:
  JobRpc(Coordinator& coordinator, Gate& gate) : coordinator_(coordinator), gate_(gate) {}

  grpc::Status ListJobs(grpc::ServerContext* context, const v1::ListJobsRequest* request,
                        v1::ListJobsResponse* response) override;
  grpc::Status GetJob(grpc::ServerContext* context, const v1::GetJobRequest* request,
                      v1::GetJobResponse* response) override;

 private:
  Coordinator& coordinator_;
  Gate& gate_;
};

}  // namespace roar::server
