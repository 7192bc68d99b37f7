#include "client/application.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/address.h"
#include "client/commands/command.h"
#include "client/state_folder.h"
#include "core/sweep/sweep_spec.h"
#include "proto/transport/channel.h"

namespace roar {
namespace {

constexpr char kDescription[] =
    "Roar measures whether an importance measure tells which tokens a text classifier relies on: mask what it calls "
    "important, retrain, repeat (Recursive ROAR).";
constexpr char kFooter[] =
    "Start here:\n"
    "  roar run examples/quickstart.yaml     a small sweep on generated data, in minutes\n"
    "  roar results                          its curves and RACU\n"
    "  roar COMMAND --help                   what a command does, with examples";

struct GlobalOptions {
  std::string state_folder;
  std::string access_file;
  std::string server_address;
  bool is_json = false;
};

void AddGlobalOptions(CLI::App& app, GlobalOptions& options) {
  CLI::Option* state = app.add_option("--state", options.state_folder,
                                      "State folder of a coordinator on this machine, which is joined or started "
                                      "[$XDG_STATE_HOME/roar or ~/.local/state/roar]");
  app.add_option("--access", options.access_file, "Access file of a coordinator elsewhere")->excludes(state);
  app.add_option("--server", options.server_address,
                 "Its address instead of that in the access file: HOST:PORT, "
                 "[IPv6]:PORT or unix:/PATH");
  app.add_flag("--json", options.is_json, "Print JSON instead of tables");
}

// Adds every command of the table; the act of the one that is chosen ends up in `chosen`.
void AddCommands(CLI::App& app, CommandAct& chosen) {
  std::map<std::string, CLI::App*> groups = {{"", &app}};
  for (const Command& command : Commands()) {
    for (const CommandGroup& group : CommandGroups()) {
      if (group.name != command.group || groups.contains(group.name)) continue;
      groups[group.name] = app.add_subcommand(group.name, group.summary)->require_subcommand(0, 1);
    }
    CLI::App* parsed = groups.at(command.group)->add_subcommand(command.name, command.summary);
    parsed->footer(
        absl::StrCat(command.details, "\n\nGlobal options (--state, --access, --server, --json): roar --help"));
    parsed->callback([&chosen, act = command.define(*parsed)] { chosen = act; });
  }
}

absl::StatusOr<Target> MakeTarget(const GlobalOptions& options) {
  Target target{.access_file = options.access_file, .server_address = options.server_address};
  if (!options.server_address.empty()) {
    if (auto address = ParseAddress(options.server_address); !address.ok()) return address.status();
  }
  if (!options.state_folder.empty()) {
    target.state_folder = std::filesystem::absolute(options.state_folder).lexically_normal();
    return target;
  }
  absl::StatusOr<std::filesystem::path> folder = DefaultStateFolder();
  if (!folder.ok()) return options.access_file.empty() ? folder.status() : absl::StatusOr<Target>(target);
  target.state_folder = *folder;
  return target;
}

std::string Repeated(const GlobalOptions& options) {
  std::string text;
  if (!options.state_folder.empty()) absl::StrAppend(&text, " --state ", options.state_folder);
  if (!options.access_file.empty()) absl::StrAppend(&text, " --access ", options.access_file);
  if (!options.server_address.empty()) absl::StrAppend(&text, " --server ", options.server_address);
  return text;
}

// A line per problem; most errors have one.
ExitCode Fail(const output::Output& output, const absl::Status& status) {
  for (const absl::string_view line : absl::StrSplit(status.message(), '\n')) output.Error(std::string(line));
  return ExitCodeOf(status);
}

// What to say of arguments that nothing takes: most often a misspelt command.
absl::Status UnknownWords(const CLI::App& app, const CLI::ExtrasError& error) {
  const std::vector<std::string> words = app.remaining(/*recurse=*/true);
  if (words.empty()) return absl::InvalidArgumentError(absl::StrCat(error.what(), "; see roar --help"));
  std::vector<std::string_view> known;
  for (const Command& command : Commands()) known.push_back(command.group.empty() ? command.name : command.group);
  const std::optional<std::string> nearest = NearestName(words[0], known);
  return absl::InvalidArgumentError(absl::StrCat("unknown command or argument \"", words[0], "\"",
                                                 nearest ? absl::StrCat("; did you mean ", *nearest, "?") : "",
                                                 "; see roar --help"));
}

absl::StatusOr<ExitCode> Act(const GlobalOptions& options, const output::Output& output, const CommandAct& act) {
  const absl::StatusOr<Target> target = MakeTarget(options);
  if (!target.ok()) return target.status();
  return act({.target = *target, .output = output, .repeated_options = Repeated(options)});
}

}  // namespace

ExitCode RunApplication(int argument_count, char** arguments) {
  std::signal(SIGPIPE, SIG_DFL);
  SilenceGrpcLog();
  output::OpenMissingStandardStreams();
  GlobalOptions options;
  CommandAct chosen;
  CLI::App app(kDescription, "roar");
  app.footer(kFooter);
  app.set_version_flag("--version", absl::StrCat("roar ", ROAR_VERSION));
  app.fallthrough();
  app.require_subcommand(0, 1);
  AddGlobalOptions(app, options);
  AddCommands(app, chosen);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForVersion& version) {
    output::Output(false).Print(absl::StrCat(version.what(), "\n"));
    return ExitCode::kOk;
  } catch (const CLI::CallForHelp&) {
    output::Output(false).Print(app.help());
    return ExitCode::kOk;
  } catch (const CLI::ExtrasError& error) {
    return Fail(output::Output(false), UnknownWords(app, error));
  } catch (const CLI::ParseError& error) {
    return Fail(output::Output(false), absl::InvalidArgumentError(absl::StrCat(error.what(), "; see roar --help")));
  }
  const output::Output output(options.is_json);
  if (!chosen) return Fail(output, absl::InvalidArgumentError("no command given; see roar --help"));
  const absl::StatusOr<ExitCode> outcome = Act(options, output, chosen);
  return outcome.ok() ? *outcome : Fail(output, outcome.status());
}

}  // namespace roar
