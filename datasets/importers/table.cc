#include "datasets/importers/table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

constexpr TableFormat kFormats[] = {{"tsv", ReadTsv}, {"csv", ReadCsv}, {"jsonl", ReadJsonl}};

}  // namespace

const TableFormat* FindTableFormat(std::string_view name) {
  const TableFormat* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                          [name](const TableFormat& format) { return format.name == name; });
  return found == std::end(kFormats) ? nullptr : found;
}

std::string TableFormatNames() {
  std::string names;
  for (const TableFormat& format : kFormats) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(format.name));
  }
  return names;
}

void AddRow(Row row, const std::string& file, Table& table, ImportReport& report) {
  const std::size_t expected = table.rows.empty() ? row.fields.size() : table.rows.front().fields.size();
  if (row.fields.size() == expected) {
    table.rows.push_back(std::move(row));
  } else {
    report.Add({.file = file,
                .line = row.line,
                .cause = absl::StrCat("number of columns: ", row.fields.size(), ", in the first row ", expected)});
  }
}

}  // namespace roar::datasets
