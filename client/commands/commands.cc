#include "client/commands/commands.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/sweep/sweep_spec.h"

namespace roar {

std::span<const Command> Commands() {
  static const std::array kCommands = {
      RunCommand(),        SubmitCommand(),  ListCommand(),       ShowCommand(),        WatchCommand(),
      WaitCommand(),       CancelCommand(),  ResultsCommand(),    CurvesCommand(),      RacuCommand(),
      ExportCommand(),     ImportCommand(),  DataImportCommand(), DataListCommand(),    DataShowCommand(),
      WorkerListCommand(), JobListCommand(), JobShowCommand(),    ServerStartCommand(), ServerStopCommand(),
      ServerInfoCommand(), DoctorCommand(),  CompletionCommand(), ReferenceCommand()};
  return kCommands;
}

std::span<const CommandGroup> CommandGroups() {
  static const std::array<CommandGroup, 4> kGroups = {{{"data", "Import and look at data sets"},
                                                       {"worker", "Look at the workers"},
                                                       {"job", "Look at single jobs"},
                                                       {"server", "Start, stop and find the coordinator"}}};
  return kGroups;
}

std::span<const TopicHeading> TopicHeadings() {
  static const std::array<TopicHeading, 6> kTopics = {{{Topic::kSweeps, "Sweeps"},
                                                       {Topic::kResults, "Results"},
                                                       {Topic::kData, "Data sets"},
                                                       {Topic::kJobs, "Jobs and workers"},
                                                       {Topic::kCoordinator, "The coordinator"},
                                                       {Topic::kProgram, "The program itself"}}};
  return kTopics;
}

std::string WordsOf(const Command& command) {
  return command.group.empty() ? command.name : absl::StrCat(command.group, " ", command.name);
}

std::shared_ptr<std::string> AddSweepArgument(CLI::App& app) {
  auto sweep = std::make_shared<std::string>("last");
  app.add_option("SWEEP", *sweep, "Number or name of the sweep, or last")->capture_default_str();
  return sweep;
}

CLI::Option* OneOf(CLI::Option* option, const std::vector<std::string>& values) {
  const auto why_not = [values](const std::string& text) -> std::string {
    if (std::ranges::count(values, text) > 0) return "";
    const std::vector<std::string_view> known(values.begin(), values.end());
    const std::optional<std::string> nearest = NearestName(text, known);
    return absl::StrCat("\"", text, "\" is none of ", absl::StrJoin(values, ", "),
                        nearest ? absl::StrCat("; did you mean ", *nearest, "?") : "");
  };
  return option->type_name(absl::StrJoin(values, "|"))->check(CLI::Validator(why_not, ""));
}

absl::StatusOr<Coordinator> Connect(const CommandContext& context) {
  absl::StatusOr<JoinedCoordinator> joined = JoinOrStart(context.target);
  if (!joined.ok()) return joined.status();
  return joined->coordinator;
}

}  // namespace roar
