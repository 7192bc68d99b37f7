#pragma once

#include <map>
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
  // Jobs whose output this one reads: the explanation of its mask; the model it explains, and that model's own mask.
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
  // By step (percent or count, ascending) and then seed, in the order of the spec: the training whose test metric it is.
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

}  // namespace roar
