#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/importers/import_report.h"

// Tables in the formats in which people keep labelled texts. What a table's columns mean is table_columns.h's.

namespace roar::datasets {

struct Field {
  // kOther: null, true, a list, ... (JSONL only); kAbsent: the row has no such key (JSONL only).
  enum class Kind { kText, kInteger, kOther, kAbsent };
  Kind kind = Kind::kText;
  // The text, the integer's digits, or the name of the other kind.
  std::string text;
  bool operator==(const Field&) const = default;
};

struct Row {
  // Where it begins, from 1.
  std::int64_t line = 0;
  std::vector<Field> fields;
};

struct Table {
  // JSONL: the keys of all rows, in the order in which they come up. Else empty: the first row may be a header.
  std::vector<std::string> keys;
  // All with the same number of fields.
  std::vector<Row> rows;
};

// One row per variant; a new one is a file and a row of the table in table.cc.
struct TableFormat {
  // As in --format, and the end of a file's name.
  std::string_view name;
  // What is wrong becomes problems of the report, under `file`'s name; the rows concerned are left out. Blank lines are
  // skipped; a byte order mark and CRLF are accepted.
  Table (*read)(std::string_view text, const std::string& file, ImportReport& report);
};

// Columns between TABs; quotes are ordinary characters. Rows as long as the first.
Table ReadTsv(std::string_view text, const std::string& file, ImportReport& report);
// RFC 4180: fields between commas, those in double quotes hold commas, line ends and doubled quotes. A quote elsewhere
// is a fault, one that never closes is reported at the line where it opened. Rows as long as the first.
Table ReadCsv(std::string_view text, const std::string& file, ImportReport& report);
// A JSON object per line. Faults: what is no JSON (NaN, lone surrogates, trailing commas), no object, a key twice.
Table ReadJsonl(std::string_view text, const std::string& file, ImportReport& report);

// The format of that name, or null.
const TableFormat* FindTableFormat(std::string_view name);
// "tsv, csv, jsonl", for messages.
std::string TableFormatNames();

// Takes a row whose length is that of the rows before it, else reports it.
void AddRow(Row row, const std::string& file, Table& table, ImportReport& report);

}  // namespace roar::datasets
