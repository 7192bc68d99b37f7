#pragma once

namespace roar::output {

// What may be written to a file descriptor.
struct TerminalTraits {
  // Escapes and redrawing are understood. False for files, pipes and TERM=dumb.
  bool is_terminal = false;
  // At least 20.
  int columns = 80;
  int rows = 24;
  bool has_color = false;
};

// Asks the system, and the environment: NO_COLOR (not empty) forbids colour, COLUMNS stands in for an unknown width.
TerminalTraits DescribeTerminal(int file_descriptor);

// The width to use: what the system says, else the variable when it is a number above 0, else 80; 20 to 1000.
int ColumnsFrom(int system_columns, const char* columns_variable);

}  // namespace roar::output
