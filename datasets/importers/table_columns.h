#pragma once

#include <optional>
#include <string>

#include "datasets/importers/table.h"

// Which columns of a table hold what.

namespace roar::datasets {

// As a person gave them: a name of the header or a key of JSONL, or a number from 1, which says that there is no
// header. Empty: found by the usual names.
struct ColumnNames {
  std::string label;
  std::string text;
  std::string second_text;
  std::string split;
};

struct Columns {
  bool has_header = false;
  std::size_t label = 0;
  std::size_t text = 0;
  std::optional<std::size_t> second_text;
  // Only where it was asked for.
  std::optional<std::size_t> split;
  // The names for people, "1", "2", ... without a header.
  std::vector<std::string> titles;
};

// By the names given, else by the usual ones, whatever their case and blanks around them:
//   label:   label, class, target, gold_label
//   text:    text, sentence, sentence1, premise, review, document
//   second:  text2, sentence2, hypothesis, question    (optional)
//   split:   split, partition                          (only with `needs_split`, and then needed)
// Two columns with usual names of one kind are a fault, nothing is preferred. Where the first row has none of these,
// the rows are read as `label text [second text]` if nothing else can be meant: two or three columns; the first repeats
// itself, at least twice for every value on average, also its first value, and has fewer values than the second.
// Otherwise, nothing, and the report says which option to give.
std::optional<Columns> ChooseColumns(const Table& table, const ColumnNames& names, bool needs_split,
                                     const std::string& file, ImportReport& report);

// Whether the label is of a column gold_label, whatever its case and blanks around it.
bool IsGoldLabel(const Columns& columns);

// "label from \"class\", text from \"review\"".
std::string Describe(const Columns& columns);

}  // namespace roar::datasets
