#pragma once

#include "proto/roar/v1/bundle_service.grpc.pb.h"
#include "server/coordinator.h"
#include "server/rpc/gate.h"
#include "server/storage/artifact_store.h"

namespace roar::server {

class BundleRpc final : public v1::BundleService::Service {
 public:
  BundleRpc(Coordinator& coordinator, ArtifactStore& artifacts, Gate& gate)
      : coordinator_(coordinator), artifacts_(artifacts), gate_(gate) {}

  grpc::Status ExportJobs(grpc::ServerContext* context, const v1::ExportJobsRequest* request,
                          grpc::ServerWriter<v1::ExportJobsResponse>* writer) override;
  grpc::Status ImportJobs(grpc::ServerContext* context, const v1::ImportJobsRequest* request,
                          v1::ImportJobsResponse* response) override;

 private:
  absl::Status Export(std::int64_t sweep_id, grpc::ServerWriter<v1::ExportJobsResponse>& writer);
  absl::Status Import(const v1::ImportJobsRequest& request, v1::ImportJobsResponse& response);

  Coordinator& coordinator_;
  ArtifactStore& artifacts_;
  Gate& gate_;
};

}  // namespace roar::server
