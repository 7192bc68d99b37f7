#pragma once

#include <string>
#include <vector>

namespace roar::reference {

struct ManPage {
  // "roar-data-import.1".
  std::string file_name;
  // In the macros of man(7).
  std::string text;
};

// roar.1, roar-sweep-file.5 and a page for each command, from the same rows as the help and the parser.
std::vector<ManPage> ManPages();

}  // namespace roar::reference
