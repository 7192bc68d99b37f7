#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"

// What every data set of bAbI's form has in common, whether imported or generated: method-recursive-roar.md section 5.

namespace roar::datasets {

// The 36 classes, in their fixed order. They come from all tasks; the answers of tasks 1 to 3 are six of them.
const std::vector<std::string>& BabiLabels();

// The words between spaces; case and punctuation are kept.
std::vector<std::string> SplitWords(std::string_view text);

// Adds a statement's words, without its full stop, to the story so far. Statements are joined by the word ".".
void AppendStatement(const std::vector<std::string>& words, std::vector<std::string>& story);

// The data set of the published protocol: its validation split is taken from train (validation_split.h).
Dataset AssembleBabi(std::vector<Example> train, std::vector<Example> test);

}  // namespace roar::datasets
