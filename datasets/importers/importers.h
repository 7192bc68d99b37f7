#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "datasets/importers/imported_dataset.h"

namespace roar::datasets {

// Reads a published data set from where a person unpacked it. A new one is one file and one row of the table. Data of
// the user's own, under any other name, are own_table.h's.
struct Importer {
  // The data set's name in sweeps.
  std::string_view name;
  // What `path` must be, for help and messages.
  std::string_view path_description;
  absl::StatusOr<ImportedDataset> (*import_from)(const std::string& path);
};

std::span<const Importer> Importers();
// The row of that name, or null.
const Importer* FindImporter(std::string_view name);

}  // namespace roar::datasets
