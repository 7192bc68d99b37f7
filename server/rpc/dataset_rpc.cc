#include "server/rpc/dataset_rpc.h"

#include "absl/strings/str_cat.h"
#include "server/rpc/page.h"

namespace roar::server {

grpc::Status DatasetRpc::RegisterDataset(grpc::ServerContext* context, const v1::RegisterDatasetRequest* request,
                                         v1::RegisterDatasetResponse* response) {
  return gate_.Serve(*context, "RegisterDataset", [&]() -> absl::Status {
    const v1::DatasetInfo& dataset = request->dataset();
    if (absl::Status status = CheckName("dataset.name", dataset.name()); !status.ok()) return status;
    if (absl::Status status = CheckSha256("dataset.content_sha256", dataset.content_sha256()); !status.ok())
      return status;
    return Mutate(coordinator_, *request, *response, [&](ServiceState& state, v1::RegisterDatasetResponse&) {
      return state.RegisterDataset(dataset, request->replace());
    });
  });
}

grpc::Status DatasetRpc::GetDataset(grpc::ServerContext* context, const v1::GetDatasetRequest* request,
                                    v1::GetDatasetResponse* response) {
  return gate_.Serve(*context, "GetDataset", [&] {
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      const auto dataset = state.datasets().find(request->name());
      if (dataset == state.datasets().end()) {
        return absl::NotFoundError(absl::StrCat("no data set '", request->name(), "'"));
      }
      *response->mutable_dataset() = dataset->second;
      return absl::OkStatus();
    });
  });
}

grpc::Status DatasetRpc::ListDatasets(grpc::ServerContext* context, const v1::ListDatasetsRequest* request,
                                      v1::ListDatasetsResponse* response) {
  return gate_.Serve(*context, "ListDatasets", [&] {
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      auto next = state.datasets().upper_bound(request->page_token());
      for (; next != state.datasets().end(); ++next) {
        if (response->datasets_size() == PageSize(request->page_size())) {
          response->set_next_page_token(response->datasets().rbegin()->name());
          break;
        }
        *response->add_datasets() = next->second;
      }
      return absl::OkStatus();
    });
  });
}

}  // namespace roar::server
