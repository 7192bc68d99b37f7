#pragma once

#include "absl/status/status.h"

namespace roar {

// What a command tells the shell. What each says in words is in client/reference/program_text.cc.
enum class ExitCode {
  kOk = 0,
  kFinishedWithFailures = 1,
  kInvalidInput = 2,
  kUnreachable = 3,
  kNotFound = 4,
  kTimeout = 5,
  kNotAllowed = 6,
  kVersionMismatch = 7,
  kConflict = 8,
  // Disk, port, permission, newer state, a damaged file.
  kThisMachine = 9,
  // Ctrl-C while watching: the sweep goes on.
  kDetached = 130,
};

// The only place where an error becomes an exit code. Total.
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace roar
