#include "client/commands/commands.h"
#include "client/commands/server_control.h"
#include "client/output/report.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Addresses, access file, version and process of the coordinator. Without one, the state folder's is started and "
    "leaves when idle.\n\n"
    "Examples:\n  roar server info\n  roar server info --json | jq -r .http_address";

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
  return {"server", "info", "Show how to reach the coordinator", kDetails,
          [](CLI::App&) -> CommandAct { return Info; }};
}

}  // namespace roar
