#include "client/doctor/finding.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/output/table.h"

namespace roar::doctor {
namespace {

std::string NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kWarning:
      return "warning";
    case Verdict::kProblem:
      return "problem";
  }
  return "";
}

std::string Counted(std::ptrdiff_t count, const std::string& word) {
  return absl::StrCat(count, " ", word, count == 1 ? "" : "s");
}

}  // namespace

Finding ProblemOf(const std::string& subject, const absl::Status& status) {
  const std::string message(status.message());
  const std::size_t end = message.rfind("; ");
  if (end == std::string::npos) return {subject, Verdict::kProblem, message, ""};
  return {subject, Verdict::kProblem, message.substr(0, end), message.substr(end + 2)};
}

Verdict WorstOf(const std::vector<Finding>& findings) {
  Verdict worst = Verdict::kOk;
  for (const Finding& finding : findings) worst = std::max(worst, finding.verdict);
  return worst;
}

std::string FindingsReport(const std::vector<Finding>& findings) {
  output::Table table({{"CHECK"}, {"VERDICT"}, {"WHAT WAS FOUND"}});
  for (const Finding& finding : findings) {
    table.AddRow({finding.subject, NameOf(finding.verdict), finding.detail});
    if (!finding.remedy.empty()) table.AddRow({"", "", absl::StrCat("-> ", finding.remedy)});
  }
  const auto count = [&](Verdict verdict) { return std::ranges::count(findings, verdict, &Finding::verdict); };
  return absl::StrCat(table.Render(), "\n", count(Verdict::kOk), " ok, ", Counted(count(Verdict::kWarning), "warning"),
                      ", ", Counted(count(Verdict::kProblem), "problem"), "\n");
}

output::Json FindingsJson(const std::vector<Finding>& findings) {
  output::Json checks = output::Json::array();
  for (const Finding& finding : findings) {
    checks.push_back({{"check", finding.subject},
                      {"verdict", NameOf(finding.verdict)},
                      {"detail", finding.detail},
                      {"remedy", finding.remedy.empty() ? output::Json() : output::Json(finding.remedy)}});
  }
  return {{"verdict", NameOf(WorstOf(findings))}, {"checks", std::move(checks)}};
}

}  // namespace roar::doctor
