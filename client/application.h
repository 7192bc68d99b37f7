#pragma once

#include "client/exit_code.h"

namespace roar {

// The command line: reads it, runs the command, turns its error into a line and an exit code.
ExitCode RunApplication(int argument_count, char** arguments);

}  // namespace roar
