#pragma once

#include <set>
#include <string>
#include <vector>

namespace roar::datasets {

// The classes in the order in which they are numbered: by value when all are numbers, else by bytes.
std::vector<std::string> SortedLabels(const std::set<std::string>& labels);

// Labels that look like one class written in two ways: equal but for case and blanks around them (`pos`, ` Pos `), or
// equal as numbers (`1`, `1.0`, `01`); or that mix numbers and words (`0`, `1`, `true`). They stay what they are. A
// line for each finding.
std::vector<std::string> LookalikeRemarks(const std::set<std::string>& labels);

}  // namespace roar::datasets
