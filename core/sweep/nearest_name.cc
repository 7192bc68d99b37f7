#include <algorithm>
#include <numeric>

#include "core/sweep/sweep_spec.h"

namespace roar {
namespace {

// Levenshtein: insertions, deletions and replacements of one character, by the usual table of which one row is kept.
std::size_t EditDistance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> NearestName(std::string_view name, std::span<const std::string_view> known_names) {
  std::optional<std::string> nearest;
  std::size_t smallest = name.size() / 3 + 1;
  for (const std::string_view known : known_names) {
    const std::size_t distance = EditDistance(name, known);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = std::string(known);
  }
  return nearest;
}

}  // namespace roar
