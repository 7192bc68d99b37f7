#include "client/reference/program_text.h"

#include <array>

namespace roar::reference {

const std::vector<Example>& FirstSteps() {
  static const std::vector<Example> kSteps = {
      {"roar run examples/quickstart.yaml", "a small sweep on generated data, in minutes"},
      {"roar results", "its curves and RACU"},
      {"roar COMMAND --help", "what a command does, with examples"}};
  return kSteps;
}

std::span<const ExitMeaning> ExitMeanings() {
  static const std::array<ExitMeaning, 11> kMeanings = {
      {{ExitCode::kOk, "ok"},
       {ExitCode::kFinishedWithFailures, "the sweep is finished, and not everything succeeded"},
       {ExitCode::kInvalidInput, "usage or invalid input"},
       {ExitCode::kUnreachable, "the coordinator cannot be reached"},
       {ExitCode::kNotFound, "not found"},
       {ExitCode::kTimeout, "time is up"},
       {ExitCode::kNotAllowed, "not allowed"},
       {ExitCode::kVersionMismatch, "the coordinator is of another version"},
       {ExitCode::kConflict, "conflict with what is there"},
       {ExitCode::kThisMachine, "this machine: disk, port, permission, a newer or damaged state"},
       {ExitCode::kDetached, "detached by Ctrl-C; the sweep goes on"}}};
  return kMeanings;
}

}  // namespace roar::reference
