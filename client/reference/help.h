#pragma once

#include <string>

#include "client/commands/command.h"

// What --help prints: plain text of at most 80 columns, made from the table of commands.

namespace roar::reference {

// `roar --help`: where to start, and every command under its topic.
std::string ProgramHelp();
// `roar data --help`.
std::string GroupHelp(const CommandGroup& group);
// `roar run --help`.
std::string CommandHelp(const Command& command);

}  // namespace roar::reference
