#include "client/commands/commands.h"
#include "client/output/report.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] = "The newest comes first.\n\nExamples:\n  roar list\n  roar list --json";

absl::StatusOr<ExitCode> List(const CommandContext& context) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const auto sweeps = coordinator->List<v1::SweepService>(&v1::SweepService::Stub::ListSweeps, v1::ListSweepsRequest(),
                                                          &v1::ListSweepsResponse::sweeps);
  if (!sweeps.ok()) return sweeps.status();
  output::Json list = output::Json::array();
  for (const v1::SweepInfo& sweep : *sweeps) list.push_back(output::SweepJson(sweep));
  context.output.Result(output::SweepTable(*sweeps), {{"sweeps", std::move(list)}});
  return ExitCode::kOk;
}

}  // namespace

Command ListCommand() {
  return {"", "list", "List sweeps", kDetails, [](CLI::App&) -> CommandAct { return List; }};
}

}  // namespace roar
