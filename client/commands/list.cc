#include "client/commands/commands.h"
#include "client/output/report.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Every sweep that the coordinator knows, the newest first, with its number, name, state and jobs.";

absl::StatusOr<ExitCode> List(const CommandContext& context) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const auto sweeps = coordinator->List<v1::SweepService>(&v1::SweepService::Stub::ListSweeps, v1::ListSweepsRequest(),
                                                          &v1::ListSweepsResponse::sweeps);
  if (!sweeps.ok()) return sweeps.status();
  output::Json list = output::Json::array();
  for (const v1::SweepInfo& sweep : *sweeps) list.push_back(output::SweepSummaryJson(sweep));
  context.output.Result(output::SweepTable(*sweeps), {{"sweeps", std::move(list)}});
  return ExitCode::kOk;
}

}  // namespace

Command ListCommand() {
  return {.name = "list",
          .summary = "List sweeps",
          .details = kDetails,
          .define = [](CLI::App&) -> CommandAct { return List; },
          .topic = Topic::kSweeps,
          .examples = {{"roar list", ""},
                       {"roar list --json | jq '.sweeps[] | select(.state == \"failed\") | .name'",
                        "the names of those that failed"}},
          .related = {"show", "results"},
          .schemas = {"sweeps"}};
}

}  // namespace roar
