#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/commands/server_control.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Running jobs go on at their workers, which deliver when a coordinator is there again. Nothing is lost.\n\n"
    "Examples:\n  roar server stop\n  roar server stop --state /scratch/me/roar";

absl::StatusOr<ExitCode> Stop(const CommandContext& context) {
  const absl::StatusOr<Coordinator> coordinator = Join(context.target);
  if (context.target.MayStart() && absl::IsUnavailable(coordinator.status())) {
    return absl::UnavailableError(
        absl::StrCat("no coordinator runs for ", context.target.state_folder.string(), ": there is none to stop"));
  }
  if (!coordinator.ok()) return coordinator.status();
  if (absl::Status status = ShutDown(context.target, *coordinator); !status.ok()) return status;
  context.output.Result("the coordinator has stopped\n", {{"stopped", true}});
  return ExitCode::kOk;
}

}  // namespace

Command ServerStopCommand() {
  return {"server", "stop", "Stop the coordinator", kDetails, [](CLI::App&) -> CommandAct { return Stop; }};
}

}  // namespace roar
