#include "absl/strings/str_split.h"
#include "datasets/importers/table.h"
#include "datasets/importers/text_file.h"

namespace roar::datasets {

Table ReadTsv(std::string_view text, const std::string& file, ImportReport& report) {
  Table table;
  std::int64_t number = 0;
  for (const std::string_view line : SplitLines(text, file, report)) {
    ++number;
    if (line.empty()) continue;
    Row row = {.line = number};
    for (const absl::string_view field : absl::StrSplit(absl::string_view(line.data(), line.size()), '\t')) {
      row.fields.push_back({.text = std::string(field)});
    }
    AddRow(std::move(row), file, table, report);
  }
  return table;
}

}  // namespace roar::datasets
