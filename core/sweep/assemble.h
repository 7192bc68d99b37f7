#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/job_result.h"
#include "core/faithfulness/bootstrap.h"
#include "core/sweep/plan.h"

// Curves and RACU from the results that are there. A missing training, or one without a finite test metric, leaves a
// gap in its curve and a reason in its RACU.

namespace roar {

struct SeedValue {
  std::int64_t seed = 0;
  double value = 0;
};

struct CurvePoint {
  std::int64_t step = 0;
  // Over the seeds present; absent when there is none.
  std::optional<faithfulness::MeanInterval> interval;
  std::vector<SeedValue> per_seed;
};

struct Curve {
  std::string dataset;
  Model model = Model::kBilstmAttention;
  Measure measure = Measure::kRandom;
  Strategy strategy = Strategy::kRecursive;
  Metric metric = Metric::kAccuracy;
  std::vector<CurvePoint> points;
};

// Of one cell. The mean is over the seeds that have a value; `missing` says, per seed without one, why.
struct RacuResult {
  std::string dataset;
  Model model = Model::kBilstmAttention;
  Measure measure = Measure::kAttention;
  Strategy strategy = Strategy::kRecursive;
  std::optional<faithfulness::MeanInterval> racu;
  std::optional<faithfulness::MeanInterval> acu;
  std::vector<SeedValue> racu_per_seed;
  std::vector<SeedValue> acu_per_seed;
  struct Missing {
    std::int64_t seed = 0;
    std::string reason;
  };
  std::vector<Missing> missing;
};

struct SweepResults {
  MaskUnit unit = MaskUnit::kRatioPercent;
  std::vector<Curve> curves;
  // One per cell of a measure other than random; empty when the unit is counts.
  std::vector<RacuResult> racu;
};

// The result of a finished training, or nullptr while there is none. Pointers stay valid during the call.
using TrainResultLookup = std::function<const TrainResult*(const JobKey&)>;

SweepResults Assemble(const Plan& plan, const TrainResultLookup& result_of);

}  // namespace roar
