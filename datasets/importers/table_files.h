#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/experiment/names.h"
#include "datasets/importers/table.h"

namespace roar::datasets {

struct TableFile {
  std::string path;
  const TableFormat* format = nullptr;
  // Nothing: a column says it, row by row.
  std::optional<Split> split;
};

// The split that people call train, training; dev, val, valid, validation; test, testing; whatever the case.
std::optional<Split> SplitFromUsualName(std::string_view name);

// The files of a data set: PATH itself, or in the folder PATH those of train, validation (named dev, val or validation;
// may be absent) and test, in this order. A format is the file's ending, .gz aside; with `format_name` not empty, only
// files of that ending or .txt count, and a single file may have any.
//
// NotFound: no such path, or a folder without train or test. InvalidArgument: no such format, an ending that is none,
// two files that could be meant.
absl::StatusOr<std::vector<TableFile>> FindTableFiles(const std::string& path, const std::string& format_name);

}  // namespace roar::datasets
