#include "client/commands/fetch_results.h"

#include "absl/strings/str_cat.h"
#include "client/output/report.h"
#include "client/sweep_selector.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {

absl::StatusOr<v1::GetResultsResponse> FetchResults(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  return FetchResults(*coordinator, *id);
}

absl::StatusOr<v1::GetResultsResponse> FetchResults(const Coordinator& coordinator, std::int64_t sweep_id) {
  v1::GetResultsRequest request;
  request.set_sweep_id(sweep_id);
  return coordinator.Call<v1::SweepService>(&v1::SweepService::Stub::GetResults, request);
}

void PrintResults(const output::Output& output, const v1::GetResultsResponse& results) {
  output.Result(absl::StrCat(output::ResultsHead(results.sweep()), output::CurveTables(results), "\n",
                             output::RacuTable(results)),
                {{"sweep", output::SweepHeadJson(results.sweep())},
                 {"curves", output::CurvesJson(results)},
                 {"racu", output::RacuJson(results)}});
}

}  // namespace roar
