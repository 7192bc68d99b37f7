#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/output/json.h"

namespace roar::doctor {

// Of a warning everything still works, worse or in part; of a problem something does not.
enum class Verdict { kOk, kWarning, kProblem };

// What was looked at, and what to do about it.
struct Finding {
  std::string subject;
  Verdict verdict = Verdict::kOk;
  std::string detail;
  // Empty where all is well.
  std::string remedy;
};

// A problem from the message of an error, which ends with what to do: "what, where; what to do".
Finding ProblemOf(const std::string& subject, const absl::Status& status);

// kProblem when one of them is.
Verdict WorstOf(const std::vector<Finding>& findings);

// A line per finding, its remedy below it, and a line that counts them.
std::string FindingsReport(const std::vector<Finding>& findings);
output::Json FindingsJson(const std::vector<Finding>& findings);

}  // namespace roar::doctor
