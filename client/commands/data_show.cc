#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/output/report.h"
#include "proto/roar/v1/dataset_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] = "Its content hash, where it came from, and the examples of every split.";

absl::StatusOr<ExitCode> Show(const CommandContext& context, const std::string& name) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  v1::GetDatasetRequest request;
  request.set_name(name);
  const auto response = coordinator->Call<v1::DatasetService>(&v1::DatasetService::Stub::GetDataset, request);
  if (absl::IsNotFound(response.status())) {
    return absl::NotFoundError(absl::StrCat("there is no data set \"", name, "\"; see them with: roar data list"));
  }
  if (!response.ok()) return response.status();
  context.output.Result(output::DatasetReport(response->dataset()), output::DatasetJson(response->dataset()));
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  app.add_option("NAME", *name, "Name of the data set")->required();
  return [name](const CommandContext& context) { return Show(context, *name); };
}

}  // namespace

Command DataShowCommand() {
  return {.group = "data",
          .name = "show",
          .summary = "Show a data set",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kData,
          .examples = {{"roar data show babi-1", ""},
                       {"roar data show babi-1 --json | jq .splits.test.labels", "how often each label occurs"}},
          .related = {"data list", "data import"},
          .schemas = {"dataset"}};
}

}  // namespace roar
