#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Plain text in lines that fit a terminal of 80 columns. Help is ASCII, so that a byte is a column.

namespace roar::reference {

inline constexpr std::size_t kHelpColumns = 80;

struct Indents {
  std::size_t first = 0;
  // Of every line after the first.
  std::size_t rest = 0;
};

// The words of `text` in lines, each ending with a newline. A word that is longer than a line has one for itself.
std::string Wrap(const std::string& text, Indents indents = {});

// Terms and what they mean, in two columns; a term that is too long for its column stands on a line of its own. Lists
// that stand below each other line up when all have the same `least_term_columns`.
std::string DefinitionList(const std::vector<std::pair<std::string, std::string>>& rows,
                           std::size_t least_term_columns = 0);

}  // namespace roar::reference
