#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace roar::datasets {

struct ImportProblem {
  std::string file;
  // From 1.
  std::int64_t line = 0;
  std::string cause;
};

// What is wrong with the files of an import. All of it is looked for before anything is refused, so that a person can
// repair a file in one go; with any problem nothing is imported.
class ImportReport {
 public:
  void Add(ImportProblem problem) { problems_.push_back(std::move(problem)); }
  const std::vector<ImportProblem>& problems() const { return problems_; }
  // OK without problems; else InvalidArgument, one line: the first ten as file:line: cause, and how many more.
  absl::Status ToStatus() const;

 private:
  std::vector<ImportProblem> problems_;
};

// Text of a file as it may stand in a message: control characters escaped, cut after 40 bytes.
std::string Quoted(std::string_view text);

}  // namespace roar::datasets
