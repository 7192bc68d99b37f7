#pragma once

#include <string>

namespace roar::reference {

// docs/command-reference.md: every command, from the same rows as the help.
std::string CommandReference();

}  // namespace roar::reference
