#pragma once

#include <string>
#include <vector>

#include "client/commands/command.h"

// What help, man page, command reference and completion say of a command: its row of the table, and what it declares.

namespace roar::reference {

// An argument or option as declared.
struct Parameter {
  // "--slots" or "-f, --follow"; of an argument its name.
  std::string name;
  // Of what kind the value is, as command.h says; empty for a flag.
  std::string value;
  std::string description;
  // Empty when there is none.
  std::string default_text;
  bool is_argument = false;
  bool is_required = false;
  bool may_repeat = false;

  // Every way to write an option: {"-f", "--follow"}.
  std::vector<std::string> Spellings() const;
  // The values that there are, where there is a list of them.
  std::vector<std::string> Choices() const;
};

// Every option and argument of an app but its help flag, arguments first.
std::vector<Parameter> ParametersOf(const CLI::App& app);
std::vector<Parameter> ParametersOf(const Command& command);
// Of the program: --state, --access and so on.
std::vector<Parameter> GlobalParameters();

// "roar export [SWEEP] --bundle FILE [OPTIONS]": arguments and required options.
std::string UsageOf(const Command& command);

// "FILE", "--slots N": with what the value is.
std::string NameWithValue(const Parameter& parameter);
// The description, and the default in brackets.
std::string MeaningOf(const Parameter& parameter);

// The lines of `details`, and whether each is an item of a list.
struct Paragraph {
  std::string text;
  bool is_item = false;
};
std::vector<Paragraph> ParagraphsOf(const Command& command);

}  // namespace roar::reference
