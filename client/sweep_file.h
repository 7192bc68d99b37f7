#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/yaml_tree.h"
#include "core/sweep/sweep_spec.h"

// The sweep file, as docs/sweep-file.md describes it: YAML in, a SweepSpec out, with the line of everything.

namespace roar {

// What `data: {NAME: ...}` says of one data set. Absent sizes and seed are the generator's defaults.
struct DataOptions {
  std::optional<std::int64_t> train;
  std::optional<std::int64_t> test;
  std::optional<std::int64_t> seed;
  // First examples of each split; 0 uses all.
  std::int64_t limit = 0;
  bool operator==(const DataOptions&) const = default;
};

// Where the fields of a spec stand in the file, by the paths of SweepProblem.
class FieldLines {
 public:
  void Set(const std::string& field_path, int line) { lines_.emplace(field_path, line); }
  // Of the field, or of the nearest one around it, or 1.
  int LineOf(std::string field_path) const;

 private:
  std::map<std::string, int> lines_;
};

struct SweepFile {
  // Content hashes are empty: what a name stands for is found out when the sweep is submitted.
  SweepSpec spec;
  // By data set; one without options has no entry.
  std::map<std::string, DataOptions> data;
  FieldLines lines;
};

struct SweepFileReading {
  SweepFile file;
  // All of them, by line: of the YAML, of the fields, and what Validate() says. The file is usable when there are none.
  std::vector<LineProblem> problems;
};

// `default_name` names a sweep whose file does not.
SweepFileReading ParseSweepFile(const std::string& text, const std::string& default_name);

// NotFound, or InvalidArgument when it is larger than 1 MiB.
absl::StatusOr<std::string> ReadSweepText(const std::string& path);

}  // namespace roar
