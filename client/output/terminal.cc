#include "client/output/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "absl/strings/numbers.h"

namespace roar::output {
namespace {

std::string EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int ColumnsFrom(int system_columns, const char* columns_variable) {
  int columns = system_columns;
  if (columns <= 0 && (columns_variable == nullptr || !absl::SimpleAtoi(columns_variable, &columns))) columns = 0;
  return columns <= 0 ? 80 : std::clamp(columns, 20, 1000);
}

TerminalTraits DescribeTerminal(int file_descriptor) {
  TerminalTraits traits;
  traits.is_terminal = isatty(file_descriptor) == 1 && EnvironmentVariable("TERM") != "dumb";
  winsize size{};
  if (traits.is_terminal) ioctl(file_descriptor, TIOCGWINSZ, &size);
  traits.columns = ColumnsFrom(size.ws_col, std::getenv("COLUMNS"));
  if (size.ws_row > 0) traits.rows = size.ws_row;
  traits.has_color = traits.is_terminal && EnvironmentVariable("NO_COLOR").empty();
  return traits;
}

}  // namespace roar::output
