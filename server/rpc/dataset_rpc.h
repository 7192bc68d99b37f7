#pragma once

#include "proto/roar/v1/dataset_service.grpc.pb.h"
#include "server/coordinator.h"
#include "server/rpc/gate.h"

namespace roar::server {

class DatasetRpc final : public v1::DatasetService::Service {
 public:
  DatasetRpc(Coordinator& coordinator, Gate& gate) : coordinator_(coordinator), gate_(gate) {}

  grpc::Status RegisterDataset(grpc::ServerContext* context, const v1::RegisterDatasetRequest* request,
                               v1::RegisterDatasetResponse* response) override;
  grpc::Status GetDataset(grpc::ServerContext* context, const v1::GetDatasetRequest* request,
                          v1::GetDatasetResponse* response) override;
  grpc::Status ListDatasets(grpc::ServerContext* context, const v1::ListDatasetsRequest* request,
                            v1::ListDatasetsResponse* response) override;

 private:
  Coordinator& coordinator_;
  Gate& gate_;
};

}  // namespace roar::server
