#pragma once

#include "proto/roar/v1/artifact_service.grpc.pb.h"
#include "server/metrics.h"
#include "server/rpc/gate.h"
#include "server/storage/artifact_store.h"

namespace roar::server {

class ArtifactRpc final : public v1::ArtifactService::Service {
 public:
  ArtifactRpc(ArtifactStore& artifacts, Gate& gate, Metrics& metrics)
      : artifacts_(artifacts), gate_(gate), metrics_(metrics) {}

  grpc::Status Upload(grpc::ServerContext* context, grpc::ServerReader<v1::UploadRequest>* reader,
                      v1::UploadResponse* response) override;
  grpc::Status QueryUpload(grpc::ServerContext* context, const v1::QueryUploadRequest* request,
                           v1::QueryUploadResponse* response) override;
  grpc::Status Download(grpc::ServerContext* context, const v1::DownloadRequest* request,
                        grpc::ServerWriter<v1::DownloadResponse>* writer) override;

 private:
  absl::Status Receive(grpc::ServerReader<v1::UploadRequest>& reader, v1::UploadResponse& response);
  absl::Status Send(const v1::DownloadRequest& request, grpc::ServerWriter<v1::DownloadResponse>& writer);

  ArtifactStore& artifacts_;
  Gate& gate_;
  Metrics& metrics_;
};

}  // namespace roar::server
