#pragma once

#include <span>
#include <vector>

#include "client/commands/command.h"

// What is said of the program as a whole, in help, man page and command reference alike.

namespace roar::reference {

inline constexpr char kProgramDescription[] =
    "Roar measures whether an importance measure tells which tokens a text classifier relies on: mask what it calls "
    "important, retrain, repeat (Recursive ROAR).";

const std::vector<Example>& FirstSteps();

// Every exit code with what it says in general.
std::span<const ExitMeaning> ExitMeanings();

}  // namespace roar::reference
