#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>

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

// A command: one file of this folder and one row of the table in commands.cc.
struct Command {
  // "data" for `roar data import`; empty for `roar run`.
  std::string group;
  std::string name;
  // One line, for the list of commands.
  std::string summary;
  // What the help adds: when to use it, and examples.
  std::string details;
  // Declares arguments and options; the act reads them after parsing.
  CommandAct (*define)(CLI::App& app);
};

struct CommandGroup {
  std::string name;
  std::string summary;
};

std::span<const Command> Commands();
std::span<const CommandGroup> CommandGroups();

// Adds the argument SWEEP, by default `last`.
std::shared_ptr<std::string> AddSweepArgument(CLI::App& app);

// The coordinator that the command is for, started if need be.
absl::StatusOr<Coordinator> Connect(const CommandContext& context);

}  // namespace roar
