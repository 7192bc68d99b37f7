#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/experiment/job_spec.h"
#include "core/sweep/sweep_spec.h"

// Turns a sweep into the graph of its jobs. The only place that knows how ROAR and Recursive ROAR depend.
// Sharing follows from equal keys: the unmasked model, the 100 % model, random masking and the first recursive link are
// each one job however many cells use them (method-recursive-roar.md section 2).

namespace roar {

struct PlannedJob {
  JobKey key;
  JobSpec spec;
  // Jobs whose output this one reads: the model it explains, where it explains one, and the explanation of the mask of
  // its data.
  std::vector<JobKey> inputs;
};

// A curve of the results: one per data set, model, measure and strategy. The random baseline is a cell too (measure
// kRandom), once per strategy asked for.
struct Cell {
  std::string dataset;
  Model model = Model::kBilstmAttention;
  Measure measure = Measure::kRandom;
  Strategy strategy = Strategy::kRecursive;
  Metric metric = Metric::kAccuracy;
  // By step (percent or count, ascending) and then seed, in the order of the spec: the training whose test metric it
  // is. Every cell has the random cell of its data set, model and strategy beside it in the plan.
  std::vector<std::vector<JobKey>> trainings;
};

struct Plan {
  MaskUnit unit = MaskUnit::kRatioPercent;
  // The points of every curve, ascending, with the implied 0 and (ratios only) 100.
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> seeds;
  // In an order in which every job comes after its inputs; no key twice.
  std::vector<PlannedJob> jobs;
  std::vector<Cell> cells;
};

// The spec must be free of problems (Validate).
Plan MakePlan(const SweepSpec& spec);

// What the size of a plan depends on, per data set.
struct PlanShape {
  MaskUnit unit = MaskUnit::kRatioPercent;
  // Without the implied ones; at least 1.
  std::int64_t steps = 0;
  // Measures that explain a model, and those that explain data.
  std::int64_t model_measures = 0;
  std::int64_t data_measures = 0;
  std::vector<Strategy> strategies;
  // Models times seeds: each trains all of its curves.
  std::int64_t repetitions = 1;
};

struct JobCount {
  std::int64_t trainings = 0;
  std::int64_t explanations = 0;
  bool operator==(const JobCount&) const = default;
};

// How many jobs MakePlan() makes for one data set, without making them. Only data sets of equal content, which share
// jobs, make a plan smaller than the sum.
JobCount JobsPerDataset(const PlanShape& shape);

}  // namespace roar
