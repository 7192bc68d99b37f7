#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "datasets/importers/import_report.h"

// A tree of the Stanford Sentiment Treebank: a label of 0 to 4 at every phrase, words at the leaves, as in
// `(3 (2 It) (4 works))`.

namespace roar::datasets {

struct SstSentence {
  // The root's label in the five classes 0 (very negative) to 4; 2 is neutral.
  int label = 0;
  // As written in the file, words separated by a blank.
  std::string text;
};

// A line with one tree, without blanks around it. On a fault, nothing, and it goes into the report with `file`, `line`
// and the column in bytes.
std::optional<SstSentence> ParseSstTree(std::string_view tree, ImportProblem place, ImportReport& report);

}  // namespace roar::datasets
