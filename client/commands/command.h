#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/coordinator.h"
#include "client/exit_code.h"
#include "client/output/output.h"

namespace roar {

// What every command gets.
struct CommandContext {
  const Target& target;
  const output::Output& output;
  // The global options as the user gave them, to be repeated in hints: "" or " --state DIR".
  std::string repeated_options;
};

// Does what was asked for. An error becomes a line on standard error and an exit code in one place (application.cc).
using CommandAct = std::function<absl::StatusOr<ExitCode>(const CommandContext&)>;

// Under which heading `roar --help` and the command reference list a command. In their order.
enum class Topic { kSweeps, kResults, kData, kJobs, kCoordinator, kProgram };

// A line to type, and what it is for; the latter may be empty.
struct Example {
  std::string line;
  std::string purpose;
};

// What an exit code other than 0 and 2 says after this command.
struct ExitMeaning {
  ExitCode code;
  std::string meaning;
};

// A command: one file of this folder and one row of the table in commands.cc. All that is said of it anywhere (help,
// man page, command reference, completion) is made from this and from the options that `define` declares.
struct Command {
  // "data" for `roar data import`; empty for `roar run`.
  std::string group;
  std::string name;
  // One line, for the list of commands.
  std::string summary;
  // What it does, in two or three sentences. A line is a paragraph; one that begins with two blanks is an item of a
  // list.
  std::string details;
  // Declares arguments and options; the act reads them after parsing. The name of an argument and the type_name() of an
  // option say what its value is: FILE and DIR are completed by paths, words in lower case joined by | are the values
  // that there are (see OneOf), any other word in capitals is only shown.
  CommandAct (*define)(CLI::App& app);
  Topic topic = Topic::kSweeps;
  std::vector<Example> examples;
  // Commands that one may want next: "watch", "data list".
  std::vector<std::string> related;
  std::vector<ExitMeaning> exit_codes;
  // What --json prints: names of schemas, docs/schemas/NAME.json. More than one where an option chooses. Empty for a
  // command that prints no JSON.
  std::vector<std::string> schemas;
  // Whether it is about a coordinator. One that is not works also where there is no folder for its state.
  bool needs_coordinator = true;
};

struct CommandGroup {
  std::string name;
  std::string summary;
};

struct TopicHeading {
  Topic topic;
  std::string title;
};

std::span<const Command> Commands();
std::span<const CommandGroup> CommandGroups();
std::span<const TopicHeading> TopicHeadings();

// "data import".
std::string WordsOf(const Command& command);

// Adds the argument SWEEP, by default `last`.
std::shared_ptr<std::string> AddSweepArgument(CLI::App& app);

// Makes the values of an option those of a list: any other is refused, with the nearest one; help and completion know
// them.
CLI::Option* OneOf(CLI::Option* option, const std::vector<std::string>& values);

// The coordinator that the command is for, started if need be.
absl::StatusOr<Coordinator> Connect(const CommandContext& context);

}  // namespace roar
