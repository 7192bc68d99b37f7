#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

// The keys of a sweep file, in one table: the parser knows these and no others, and the reference of the file in
// docs/sweep-file.md, its man page and `roar reference sweep-file` are made from it.

namespace roar {

struct SweepFileKey {
  std::string name;
  // What its value is: "integer", "list of names".
  std::string type;
  // The value that holds where the key is absent, as one would write it; empty where that is no fixed value.
  std::string default_value;
  // What holds then, in words.
  std::string otherwise;
  std::string meaning;
  // The names that may be written, where there is a list of them.
  std::vector<std::string> values;
};

// A mapping of the file.
enum class SweepMapping {
  // The file itself.
  kSweep,
  // `ratios` or `counts` as a range.
  kRange,
  kTraining,
  // `data`, of each data set.
  kData
};

struct SweepSection {
  SweepMapping mapping;
  // How its keys are called from outside: "training." for `training: {epochs: 5}`.
  std::string prefix;
  std::vector<SweepFileKey> keys;
};

// In the order of the reference.
std::span<const SweepSection> SweepSections();

// The names of a mapping's keys, in the order of the table.
const std::vector<std::string_view>& SweepKeyNames(SweepMapping mapping);

}  // namespace roar
