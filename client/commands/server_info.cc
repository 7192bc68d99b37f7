#include "client/commands/commands.h"
#include "client/commands/server_control.h"
#include "client/output/report.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Addresses, access file, version and process of the coordinator. Without one, the state folder's is started "
    "and leaves when idle.";

absl::StatusOr<ExitCode> Info(const CommandContext& context) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const auto info = GetServerInfo(*coordinator);
  if (!info.ok()) return info.status();
  context.output.Result(output::ServerReport(*info), output::ServerInfoJson(*info));
  return ExitCode::kOk;
}

}  // namespace

Command ServerInfoCommand() {
  return {
      .group = "server",
      .name = "info",
      .summary = "Show how to reach the coordinator",
      .details = kDetails,
      .define = [](CLI::App&) -> CommandAct { return Info; },
      .topic = Topic::kCoordinator,
      .examples = {{"roar server info", ""}, {"roar server info --json | jq -r .http_address", "where metrics are"}},
      .related = {"server start", "worker list"},
      .schemas = {"server"}};
}

}  // namespace roar
