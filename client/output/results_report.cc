#include <algorithm>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "client/output/format.h"
#include "client/output/report.h"
#include "client/output/table.h"

// The parts of report.h that show results.

namespace roar::output {
namespace {

constexpr auto kRight = Table::Align::kRight;

// Curves that share a table: same data set, model and strategy, in the order of the results.
struct CurveGroup {
  std::string title;
  std::vector<const v1::Curve*> curves;
};

std::vector<CurveGroup> GroupCurves(const v1::GetResultsResponse& results) {
  std::vector<CurveGroup> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index;
  for (const v1::Curve& curve : results.curves()) {
    const auto [found, is_new] =
        index.emplace(std::tuple(curve.dataset(), curve.model(), curve.strategy()), groups.size());
    if (is_new) {
      groups.push_back({.title = absl::StrCat(curve.dataset(), ", ", curve.model(), ", ", curve.strategy(), ": test ",
                                              curve.metric(), " in percent, mean [95 % interval]")});
    }
    groups[found->second].curves.push_back(&curve);
  }
  return groups;
}

std::string PointText(const v1::Curve& curve, std::int64_t step) {
  const auto point = std::ranges::find(curve.points(), step, [](const v1::CurvePoint& p) { return p.step(); });
  if (point == curve.points().end() || point->per_seed().empty()) return "-";
  return PercentWithInterval(point->interval());
}

std::string GroupTable(const CurveGroup& group, bool is_counts) {
  std::vector<Table::Column> columns = {{is_counts ? "MASKED TOKENS" : "MASKED %", kRight}};
  for (const v1::Curve* curve : group.curves) columns.push_back({curve->measure(), kRight});
  Table table(std::move(columns));
  for (const v1::CurvePoint& point : group.curves.front()->points()) {
    std::vector<std::string> cells = {absl::StrCat(point.step())};
    for (const v1::Curve* curve : group.curves) cells.push_back(PointText(*curve, point.step()));
    table.AddRow(std::move(cells));
  }
  return absl::StrCat(Printable(group.title), "\n", table.Render());
}

}  // namespace

std::string ResultsHead(const v1::SweepInfo& sweep) {
  return Printable(absl::StrCat("sweep ", sweep.id(), " ", sweep.name(), ", ", SweepStateName(sweep.state()), ": ",
                                JobsDone(sweep.jobs()), " of ", JobsTotal(sweep.jobs()), " jobs done")) +
         "\n\n";
}

std::string CurveTables(const v1::GetResultsResponse& results) {
  std::string text;
  for (const CurveGroup& group : GroupCurves(results)) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", GroupTable(group, results.unit() == "counts"));
  }
  return text;
}

std::string RacuTable(const v1::GetResultsResponse& results) {
  if (results.unit() == "counts") return "RACU is not defined for counts: there is no 100 % point\n";
  if (results.racu().empty()) return "no RACU: the sweep has no measure other than random\n";
  Table table({{"DATA SET"}, {"MODEL"}, {"STRATEGY"}, {"MEASURE"}, {"RACU %", kRight}, {"SEEDS", kRight}});
  std::string missing;
  for (const v1::RacuResult& result : results.racu()) {
    const int seeds = result.racu_per_seed_size();
    table.AddRow({result.dataset(), result.model(), result.strategy(), result.measure(),
                  seeds > 0 ? PercentWithInterval(result.racu()) : "-",
                  absl::StrCat(seeds, "/", seeds + result.missing_size())});
    for (const v1::MissingSeed& seed : result.missing()) {
      absl::StrAppend(&missing,
                      Printable(absl::StrCat(result.dataset(), " ", result.strategy(), " ", result.measure(), ", seed ",
                                             seed.seed(), ": ", seed.reason())),
                      "\n");
    }
  }
  return absl::StrCat("RACU in percent, mean [95 % interval]; higher is more faithful, 0 is no better than random\n",
                      table.Render(), missing.empty() ? "" : "missing:\n", missing);
}

}  // namespace roar::output
