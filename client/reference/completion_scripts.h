#pragma once

#include <string>
#include <vector>

namespace roar::reference {

// The shells that `roar completion` knows.
const std::vector<std::string>& CompletionShells();

// What that shell is to source. `shell` is one of CompletionShells().
std::string CompletionScript(const std::string& shell);

}  // namespace roar::reference
