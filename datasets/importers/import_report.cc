#include "datasets/importers/import_report.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

constexpr std::size_t kShownProblems = 10;
constexpr std::size_t kShownBytes = 40;

}  // namespace

absl::Status ImportReport::ToStatus() const {
  if (problems_.empty()) return absl::OkStatus();
  std::string message;
  const std::size_t shown = std::min(problems_.size(), kShownProblems);
  for (std::size_t i = 0; i < shown; ++i) {
    const ImportProblem& problem = problems_[i];
    absl::StrAppend(&message, i == 0 ? "" : "; ", problem.file, ":", problem.line, ": ", problem.cause);
  }
  if (problems_.size() > shown) absl::StrAppend(&message, "; and ", problems_.size() - shown, " more");
  return absl::InvalidArgumentError(message);
}

std::string Quoted(std::string_view text) {
  const std::string shown(text.substr(0, kShownBytes));
  return absl::StrCat("\"", absl::CHexEscape(shown), text.size() > kShownBytes ? "..." : "", "\"");
}

}  // namespace roar::datasets
