#include "client/reference/wrap.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace roar::reference {
namespace {

constexpr std::size_t kWidestTerm = 20;
constexpr std::size_t kGap = 2;

}  // namespace

std::string Wrap(const std::string& text, Indents indents) {
  const std::vector<std::string> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  std::string all;
  std::string line(indents.first, ' ');
  bool is_empty = true;
  for (const std::string& word : words) {
    if (!is_empty && line.size() + 1 + word.size() > kHelpColumns) {
      absl::StrAppend(&all, line, "\n");
      line.assign(indents.rest, ' ');
      is_empty = true;
    }
    absl::StrAppend(&line, is_empty ? "" : " ", word);
    is_empty = false;
  }
  return absl::StrCat(all, line, "\n");
}

std::string DefinitionList(const std::vector<std::pair<std::string, std::string>>& rows,
                           std::size_t least_term_columns) {
  std::size_t widest = least_term_columns;
  for (const auto& [term, meaning] : rows) {
    if (term.size() <= kWidestTerm) widest = std::max(widest, term.size());
  }
  const std::size_t column = 2 + widest + kGap;
  std::string text;
  for (const auto& [term, meaning] : rows) {
    std::string start = absl::StrCat("  ", term);
    if (term.size() > kWidestTerm) {
      absl::StrAppend(&text, start, "\n");
      start.clear();
    }
    start.resize(column, ' ');
    const std::string wrapped = Wrap(meaning, {column, column});
    absl::StrAppend(&text, start, wrapped.substr(column));
  }
  return text;
}

}  // namespace roar::reference
