#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "datasets/importers/import_report.h"
#include "datasets/importers/imported_dataset.h"

// bAbI's original text format. A line is `ID statement.` or `ID question? TAB answer [TAB ids of supporting
// statements]`; ids count from 1 in every story.

namespace roar::datasets {

struct BabiQuestion {
  std::int64_t line = 0;
  // All statements told so far, joined by "."; the question, without its mark.
  std::vector<std::string> story;
  std::vector<std::string> question;
  std::string answer;
};

// The questions of a file, in order. What is wrong goes into `report`, under `file`'s name; the questions mean nothing
// then. Blank lines are skipped; a byte order mark, CRLF, blanks before the TAB and an absent or empty last column are
// accepted. Where a line is no UTF-8 text, only that is reported.
std::vector<BabiQuestion> ParseBabi(std::string_view text, const std::string& file, ImportReport& report);

// Imports task 1, 2 or 3 from a folder that holds qaN_*_train.txt and qaN_*_test.txt, each plain or .gz; or whose
// en-10k, or else en, does. The first of these folders with any file of the task must have both. NotFound: no such
// files. InvalidArgument: what ParseBabi reports, an answer that is no label, a file without questions, two candidates
// for a file. Others as ReadTextFile.
absl::StatusOr<ImportedDataset> ImportBabi(int task, const std::string& path);

}  // namespace roar::datasets
