#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/commands/command.h"
#include "client/global_options.h"

namespace roar {

// What a command line asks for: a text (help, version), or an act.
struct CommandLine {
  GlobalOptions options;
  std::optional<std::string> text;
  CommandAct act;
  // The row of the command; null when a text is asked for.
  const Command* command = nullptr;
};

// Reads the words after the program's name. InvalidArgument, with the nearest known word, for what no command takes.
// Does nothing yet.
absl::StatusOr<CommandLine> ParseCommandLine(int argument_count, const char* const* arguments);

}  // namespace roar
