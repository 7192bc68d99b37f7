#include "client/commands/commands.h"

#include <array>

namespace roar {

std::span<const Command> Commands() {
  static const std::array kCommands = {
      RunCommand(),        SubmitCommand(),  ListCommand(),       ShowCommand(),        WatchCommand(),
      WaitCommand(),       CancelCommand(),  ResultsCommand(),    CurvesCommand(),      RacuCommand(),
      ExportCommand(),     ImportCommand(),  DataImportCommand(), DataListCommand(),    DataShowCommand(),
      WorkerListCommand(), JobListCommand(), JobShowCommand(),    ServerStartCommand(), ServerStopCommand(),
      ServerInfoCommand()};
  return kCommands;
}

std::span<const CommandGroup> CommandGroups() {
  static const std::array<CommandGroup, 4> kGroups = {{{"data", "Import and look at data sets"},
                                                       {"worker", "Look at the workers"},
                                                       {"job", "Look at single jobs"},
                                                       {"server", "Start, stop and find the coordinator"}}};
  return kGroups;
}

std::shared_ptr<std::string> AddSweepArgument(CLI::App& app) {
  auto sweep = std::make_shared<std::string>("last");
  app.add_option("SWEEP", *sweep, "Number or name of the sweep, or last")->capture_default_str();
  return sweep;
}

absl::StatusOr<Coordinator> Connect(const CommandContext& context) {
  absl::StatusOr<JoinedCoordinator> joined = JoinOrStart(context.target);
  if (!joined.ok()) return joined.status();
  return joined->coordinator;
}

}  // namespace roar
