#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "datasets/importers/imported_dataset.h"

namespace roar::datasets {

// The Stanford Sentiment Treebank as sentences with two classes (method-recursive-roar.md section 5). It is spread as
// trees and as lines `label sentence`.
//
// Imports from a folder that holds the files of a form for train, dev and test, each plain or .gz; or whose `trees`,
// `ptb` or `stsa` does. The first form in this order of which there is any file must be there whole: trees
// (`train.txt`), two classes (`stsa.binary.train`), five classes (`stsa.fine.train`).
//
// Neutral sentences are left out, and those of at most 5 tokens, counted after the cleaning. Tokens are those of
// WordSplitter, less the brackets' names -LRB- and -RRB-. The escapes \/ and \* need no rule: with or without the
// backslash they separate. Since the forms differ in the order of sentences, every split is put into one that looks
// random and is a function of the sentences only: by the SHA-256 of the tokens. So all forms give the same data set.
//
// NotFound: no such files. InvalidArgument: all faults of all files, by line. Others as ReadTextFile.
absl::StatusOr<ImportedDataset> ImportSst(const std::string& path);

}  // namespace roar::datasets
