#pragma once

#include <string>

#include "client/output/json.h"
#include "client/output/terminal.h"

namespace roar::output {

// Opens /dev/null for each of the standard streams that is closed, so that nothing opened later takes its number and is
// written into. To be called first of all.
void OpenMissingStandardStreams();

// Where commands send what they have to say; nothing else writes to standard output or error. A reader that went away
// ends the program by SIGPIPE, quietly; a sweep does not notice.
class Output {
 public:
  explicit Output(bool is_json) : is_json_(is_json) {}

  bool is_json() const { return is_json_; }
  const TerminalTraits& terminal() const { return terminal_; }

  // The result of a command: to standard output, as it is.
  void Print(const std::string& text) const;
  // The one that --json asks for.
  void Result(const std::string& text, const Json& json) const { Print(is_json_ ? Dump(json) : text); }
  // What goes on beside the result, a line: to standard error.
  void Note(const std::string& line) const;
  // "roar: LINE", to standard error.
  void Error(const std::string& line) const;

 private:
  bool is_json_;
  TerminalTraits terminal_ = DescribeTerminal(1);
};

}  // namespace roar::output
