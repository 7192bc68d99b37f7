#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "datasets/importers/imported_dataset.h"
#include "datasets/importers/table_columns.h"

namespace roar::datasets {

struct OwnTableOptions {
  // Empty: as the files' names end.
  std::string format;
  ColumnNames columns;
};

// Imports data of the user's own: a folder with a table per split (FindTableFiles), or one table with a split column. A
// row is a label and a text, or two. Examples keep the order of the rows; tokens are those of WordSplitter. Without a
// validation split, one is taken from train (TakeValidationSplit).
//
// Classes are the labels of train, sorted (SortedLabels); a label is taken literally, and an integer of JSONL is its
// digits. Rows whose label is `-` (blanks around it aside) in a column gold_label are left out: in SNLI and its kin the
// annotators did not agree. Texts without a word are kept: there is nothing to mask in them. Both are counted in a
// remark. Another names the splits whose rows are sorted by class.
//
// InvalidArgument: every fault of every row by file and line, among them an empty label, one that train lacks, a text
// that is none; an empty split; fewer than 2 or more than 1000 classes. Others as FindTableFiles and ReadTextFile.
absl::StatusOr<ImportedDataset> ImportOwnTable(const std::string& path, const OwnTableOptions& options);

}  // namespace roar::datasets
