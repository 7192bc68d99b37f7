#include "core/sweep/assemble.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "core/faithfulness/racu.h"

namespace roar {
namespace {

// The test performance of a cell: by step and then seed, absent where there is no result.
using CellValues = std::vector<std::vector<std::optional<double>>>;

std::optional<double> TestValue(const TrainResult* result, Metric metric) {
  if (result == nullptr) return std::nullopt;
  const auto test = result->metrics.find(Split::kTest);
  if (test == result->metrics.end()) return std::nullopt;
  const double value = Value(test->second, metric);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

CellValues ValuesOf(const Cell& cell, const TrainResultLookup& result_of) {
  CellValues values;
  for (const std::vector<JobKey>& keys : cell.trainings) {
    auto& at_step = values.emplace_back();
    for (const JobKey& key : keys) at_step.push_back(TestValue(result_of(key), cell.metric));
  }
  return values;
}

std::optional<faithfulness::MeanInterval> IntervalOf(const std::vector<SeedValue>& per_seed) {
  if (per_seed.empty()) return std::nullopt;
  std::vector<double> values;
  for (const SeedValue& seed : per_seed) values.push_back(seed.value);
  auto interval = faithfulness::BcaMeanInterval(values);
  return interval.ok() ? std::optional(*interval) : std::nullopt;
}

Curve CurveOf(const Plan& plan, const Cell& cell, const CellValues& values) {
  Curve curve{cell.dataset, cell.model, cell.measure, cell.strategy, cell.metric, {}};
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    CurvePoint point{.step = plan.steps[step]};
    for (std::size_t seed = 0; seed < plan.seeds.size(); ++seed) {
      if (values[step][seed]) point.per_seed.push_back({plan.seeds[seed], *values[step][seed]});
    }
    point.interval = IntervalOf(point.per_seed);
    curve.points.push_back(std::move(point));
  }
  return curve;
}

// The values of one seed by step, or why they are not complete.
absl::StatusOr<std::vector<double>> WholeCurve(const Plan& plan, const Cell& cell, const CellValues& values,
                                               std::size_t seed) {
  std::vector<double> curve;
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    const std::optional<double>& value = values[step][seed];
    if (!value) {
      return absl::NotFoundError(
          absl::StrCat("no result at ", plan.steps[step], " % masked for ", std::string(Name(cell.measure))));
    }
    curve.push_back(*value);
  }
  return curve;
}

// A cell with the values that are there of it.
struct MeasuredCell {
  const Cell& cell;
  CellValues values;
};

// Puts the seed's ACU and RACU into the result; an error says which is missing and why.
absl::Status AddSeed(const Plan& plan, const MeasuredCell& measured, const MeasuredCell& random, std::size_t seed,
                     RacuResult& result) {
  const auto measure_curve = WholeCurve(plan, measured.cell, measured.values, seed);
  if (!measure_curve.ok()) return measure_curve.status();
  const auto random_curve = WholeCurve(plan, random.cell, random.values, seed);
  if (!random_curve.ok()) return random_curve.status();
  std::vector<double> ratios;
  for (const std::int64_t percent : plan.steps) ratios.push_back(static_cast<double>(percent) / 100);
  const faithfulness::PerformanceCurves curves{ratios, *measure_curve, *random_curve};
  const auto acu = faithfulness::Acu(curves);
  if (!acu.ok()) return acu.status();
  result.acu_per_seed.push_back({plan.seeds[seed], *acu});
  const auto racu = faithfulness::Racu(curves);
  if (!racu.ok()) return racu.status();
  result.racu_per_seed.push_back({plan.seeds[seed], *racu});
  return absl::OkStatus();
}

RacuResult RacuOf(const Plan& plan, const MeasuredCell& measured, const MeasuredCell& random) {
  const Cell& cell = measured.cell;
  RacuResult result{.dataset = cell.dataset, .model = cell.model, .measure = cell.measure, .strategy = cell.strategy};
  for (std::size_t seed = 0; seed < plan.seeds.size(); ++seed) {
    const absl::Status status = AddSeed(plan, measured, random, seed, result);
    if (!status.ok()) result.missing.push_back({plan.seeds[seed], std::string(status.message())});
  }
  result.racu = IntervalOf(result.racu_per_seed);
  result.acu = IntervalOf(result.acu_per_seed);
  return result;
}

bool IsBaselineOf(const Cell& random, const Cell& cell) {
  return random.measure == Measure::kRandom && random.dataset == cell.dataset && random.model == cell.model &&
         random.strategy == cell.strategy;
}

}  // namespace

SweepResults Assemble(const Plan& plan, const TrainResultLookup& result_of) {
  SweepResults results{.unit = plan.unit};
  std::vector<MeasuredCell> cells;
  for (const Cell& cell : plan.cells) {
    cells.push_back({cell, ValuesOf(cell, result_of)});
    results.curves.push_back(CurveOf(plan, cell, cells.back().values));
  }
  if (plan.unit == MaskUnit::kCount) return results;
  for (const MeasuredCell& measured : cells) {
    if (measured.cell.measure == Measure::kRandom) continue;
    const auto random = std::ranges::find_if(
        cells, [&](const MeasuredCell& candidate) { return IsBaselineOf(candidate.cell, measured.cell); });
    results.racu.push_back(RacuOf(plan, measured, *random));
  }
  return results;
}

}  // namespace roar
