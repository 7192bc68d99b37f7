#include "client/commands/commands.h"
#include "client/output/report.h"
#include "proto/roar/v1/dataset_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] = "Data sets that were imported or generated, by name, with the examples of each split.";

absl::StatusOr<ExitCode> List(const CommandContext& context) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const auto datasets = coordinator->List<v1::DatasetService>(
      &v1::DatasetService::Stub::ListDatasets, v1::ListDatasetsRequest(), &v1::ListDatasetsResponse::datasets);
  if (!datasets.ok()) return datasets.status();
  output::Json list = output::Json::array();
  for (const v1::DatasetInfo& dataset : *datasets) list.push_back(output::DatasetJson(dataset));
  context.output.Result(output::DatasetTable(*datasets), {{"datasets", std::move(list)}});
  return ExitCode::kOk;
}

}  // namespace

Command DataListCommand() {
  return {.group = "data",
          .name = "list",
          .summary = "List data sets",
          .details = kDetails,
          .define = [](CLI::App&) -> CommandAct { return List; },
          .topic = Topic::kData,
          .examples = {{"roar data list", ""}, {"roar data list --json | jq -r '.datasets[].name'", "their names"}},
          .related = {"data show", "data import"},
          .schemas = {"datasets"}};
}

}  // namespace roar
