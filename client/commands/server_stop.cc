#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/commands/server_control.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Running jobs go on at their workers, which deliver when a coordinator is there again. Nothing is lost.";

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
  return {.group = "server",
          .name = "stop",
          .summary = "Stop the coordinator",
          .details = kDetails,
          .define = [](CLI::App&) -> CommandAct { return Stop; },
          .topic = Topic::kCoordinator,
          .examples = {{"roar server stop", ""}, {"roar server stop --state /scratch/me/roar", ""}},
          .related = {"server start", "server info"},
          .exit_codes = {{ExitCode::kUnreachable, "there is none to stop"}},
          .schemas = {"server_stop"}};
}

}  // namespace roar
