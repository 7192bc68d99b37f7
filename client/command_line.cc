#include "client/command_line.h"

#include <map>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/reference/command_page.h"
#include "client/reference/help.h"
#include "core/sweep/sweep_spec.h"

namespace roar {
namespace {

// Adds every command of the table; the act of the one that is chosen ends up in `line`.
void AddCommands(CLI::App& app, CommandLine& line) {
  std::map<std::string, CLI::App*> groups = {{"", &app}};
  for (const Command& command : Commands()) {
    for (const CommandGroup& group : CommandGroups()) {
      if (group.name != command.group || groups.contains(group.name)) continue;
      groups[group.name] = app.add_subcommand(group.name)->require_subcommand(0, 1);
    }
    CLI::App* parsed = groups.at(command.group)->add_subcommand(command.name);
    parsed->callback([&line, &command, act = command.define(*parsed)] {
      line.act = act;
      line.command = &command;
    });
  }
}

// The words of the command or group that was reached: "", "data" or "data import".
std::string WordsReached(const CLI::App& app) {
  std::string words;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().back();
    absl::StrAppend(&words, words.empty() ? "" : " ", at->get_name());
  }
  return words;
}

std::string HelpOf(const std::string& words) {
  for (const CommandGroup& group : CommandGroups()) {
    if (group.name == words) return reference::GroupHelp(group);
  }
  for (const Command& command : Commands()) {
    if (WordsOf(command) == words) return reference::CommandHelp(command);
  }
  return reference::ProgramHelp();
}

std::string HelpHint(const std::string& words) {
  return absl::StrCat("; see roar ", words, words.empty() ? "" : " ", "--help");
}

// What might stand in place of a word that is not known after `words`.
std::vector<std::string> KnownAfter(const std::string& words, bool is_option) {
  std::vector<std::string> known;
  const auto add_options = [&](const std::vector<reference::Parameter>& parameters) {
    for (const reference::Parameter& parameter : parameters) {
      for (std::string& spelling : parameter.Spellings()) known.push_back(std::move(spelling));
    }
  };
  if (is_option) add_options(reference::GlobalParameters());
  for (const Command& command : Commands()) {
    if (is_option && WordsOf(command) == words) add_options(reference::ParametersOf(command));
    if (is_option) continue;
    if (words.empty()) known.push_back(command.group.empty() ? command.name : command.group);
    if (!words.empty() && command.group == words) known.push_back(command.name);
  }
  return known;
}

absl::Status UnknownWord(const std::string& word, const std::string& reached) {
  const std::vector<std::string> known = KnownAfter(reached, word.starts_with("-"));
  const std::optional<std::string> nearest =
      NearestName(word, std::vector<std::string_view>(known.begin(), known.end()));
  return absl::InvalidArgumentError(absl::StrCat("unknown command or argument \"", word, "\"",
                                                 nearest ? absl::StrCat("; did you mean ", *nearest, "?") : "",
                                                 HelpHint(reached)));
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(int argument_count, const char* const* arguments) {
  CommandLine line;
  CLI::App app("", "roar");
  app.set_version_flag("--version", absl::StrCat("roar ", ROAR_VERSION));
  app.fallthrough();
  app.require_subcommand(0, 1);
  AddGlobalOptions(app, line.options);
  AddCommands(app, line);
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::CallForVersion& version) {
    line.text = absl::StrCat(version.what(), "\n");
  } catch (const CLI::CallForHelp&) {
    line.text = HelpOf(WordsReached(app));
  } catch (const CLI::ExtrasError& error) {
    const std::vector<std::string> words = app.remaining(/*recurse=*/true);
    if (!words.empty()) return UnknownWord(words[0], WordsReached(app));
    return absl::InvalidArgumentError(absl::StrCat(error.what(), HelpHint(WordsReached(app))));
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(absl::StrCat(error.what(), HelpHint(WordsReached(app))));
  }
  if (line.text) return line;
  if (line.command == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("no command given", HelpHint(WordsReached(app))));
  }
  if (line.options.is_json && line.command->schemas.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(WordsOf(*line.command), " prints no JSON; leave out --json"));
  }
  return line;
}

}  // namespace roar
