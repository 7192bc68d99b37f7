#include "core/sweep/plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/experiment/job_key.h"
#include "core/sweep/presets.h"

namespace roar {
namespace {

bool IsImplied(MaskUnit unit, std::int64_t step) {
  return step == 0 || (unit == MaskUnit::kRatioPercent && step == 100);
}

std::vector<std::int64_t> WithImpliedSteps(const SweepSpec& spec) {
  std::vector<std::int64_t> steps{0};
  std::copy_if(spec.steps.begin(), spec.steps.end(), std::back_inserter(steps),
               [&](std::int64_t step) { return !IsImplied(spec.unit, step); });
  if (spec.unit == MaskUnit::kRatioPercent) steps.push_back(100);
  return steps;
}

// The curve of one cell for one seed. `unmasked` has the fields that its trainings share.
struct Chain {
  Measure measure;
  Strategy strategy;
  TrainSpec unmasked;
};

class Planner {
 public:
  explicit Planner(const SweepSpec& spec) : spec_(spec) {
    plan_.unit = spec.unit;
    plan_.steps = WithImpliedSteps(spec);
    plan_.seeds = spec.seeds;
  }

  void AddCells(const SweepDataset& dataset, Model model) {
    AddCellPerStrategy(dataset, model, Measure::kRandom);
    for (const std::string& name : spec_.measures) {
      const Measure measure = *MeasureFromName(name);
      if (measure != Measure::kRandom) AddCellPerStrategy(dataset, model, measure);
    }
  }

  Plan Take() { return std::move(plan_); }

 private:
  struct Training {
    JobKey key;
    Mask mask;
  };

  void AddCellPerStrategy(const SweepDataset& dataset, Model model, Measure measure) {
    for (const std::string& name : spec_.strategies) AddCell(dataset, model, measure, *StrategyFromName(name));
  }

  void AddCell(const SweepDataset& dataset, Model model, Measure measure, Strategy strategy) {
    const Preset preset = PresetFor(dataset.name, model);
    const TrainingSettings training = Resolve(preset.training, spec_.training);
    const Metric metric = spec_.test_metric ? *MetricFromName(*spec_.test_metric) : preset.test_metric;
    Cell cell{dataset.name, model, measure, strategy, metric, {}};
    cell.trainings.resize(plan_.steps.size());
    for (const std::int64_t seed : spec_.seeds) {
      const TrainSpec unmasked{dataset.reference, model, training, NoMask{}, seed};
      const std::vector<JobKey> keys = AddChain({measure, strategy, unmasked});
      for (std::size_t i = 0; i < keys.size(); ++i) cell.trainings[i].push_back(keys[i]);
    }
    plan_.cells.push_back(std::move(cell));
  }

  // The trainings of a chain by step. `explained` is the model whose importance decides the next mask: always the
  // unmasked one under ROAR, that of the step before under Recursive ROAR.
  std::vector<JobKey> AddChain(const Chain& chain) {
    Training explained = AddTraining(chain.unmasked);
    std::vector<JobKey> keys{explained.key};
    for (std::size_t i = 1; i < plan_.steps.size(); ++i) {
      TrainSpec spec = chain.unmasked;
      spec.mask = MaskAt(plan_.steps[i], chain, explained);
      Training training = AddTraining(spec);
      keys.push_back(training.key);
      if (chain.strategy == Strategy::kRecursive) explained = std::move(training);
    }
    return keys;
  }

  // Plans the explanation that the mask needs, so none is planned that no mask follows. At the implied steps every
  // measure masks the same tokens as random.
  Mask MaskAt(std::int64_t step, const Chain& chain, const Training& explained) {
    if (!NeedsExplanation(chain.measure) || IsImplied(spec_.unit, step)) {
      return Normalized(RandomMask{spec_.unit, step, chain.unmasked.seed});
    }
    return RankedMask{AddExplanation(chain, explained), spec_.unit, step};
  }

  Training AddTraining(const TrainSpec& spec) {
    std::vector<JobKey> inputs;
    if (const auto* ranked = std::get_if<RankedMask>(&spec.mask)) inputs.push_back(ranked->explanation);
    return {AddJob(spec, std::move(inputs)), spec.mask};
  }

  // Explaining reads the data as masked for the training, and the model where the measure is one of a model. Otherwise
  // no training is among what it reads: all its links can run before any, and seeds and models share them.
  JobKey AddExplanation(const Chain& chain, const Training& explained) {
    ExplainSpec spec{MaskedData{chain.unmasked.dataset, explained.mask}, {chain.measure}};
    std::vector<JobKey> inputs;
    if (NeedsModel(chain.measure)) {
      spec.source = explained.key;
      inputs.push_back(explained.key);
    }
    if (chain.measure == Measure::kIntegratedGradient && spec_.ig_variant) {
      spec.settings.integrated_gradient_variant = *IntegratedGradientVariantFromName(*spec_.ig_variant);
    }
    if (const auto* ranked = std::get_if<RankedMask>(&explained.mask)) inputs.push_back(ranked->explanation);
    return AddJob(std::move(spec), std::move(inputs));
  }

  JobKey AddJob(JobSpec spec, std::vector<JobKey> inputs) {
    JobKey key = KeyOf(spec);
    if (planned_.insert(key).second) plan_.jobs.push_back({key, std::move(spec), std::move(inputs)});
    return key;
  }

  const SweepSpec& spec_;
  Plan plan_;
  std::set<JobKey> planned_;
};

}  // namespace

Plan MakePlan(const SweepSpec& spec) {
  Planner planner(spec);
  for (const SweepDataset& dataset : spec.datasets) {
    for (const std::string& model : spec.models) planner.AddCells(dataset, *ModelFromName(model));
  }
  return planner.Take();
}

JobCount JobsPerDataset(const PlanShape& shape) {
  const bool recursive = std::ranges::count(shape.strategies, Strategy::kRecursive) > 0;
  const bool roar = std::ranges::count(shape.strategies, Strategy::kRoar) > 0;
  const std::int64_t implied = shape.unit == MaskUnit::kRatioPercent ? 2 : 1;
  // A measure's first link is one job for both strategies, and so is the explanation of the unmasked model.
  const std::int64_t trainings_per_measure = recursive && roar ? 2 * shape.steps - 1 : shape.steps;
  const std::int64_t explanations_per_measure = recursive ? shape.steps : 1;
  const std::int64_t measures = shape.model_measures + shape.data_measures;
  return {.trainings = shape.repetitions * (implied + shape.steps + measures * trainings_per_measure),
          .explanations = (shape.repetitions * shape.model_measures + shape.data_measures) * explanations_per_measure};
}

}  // namespace roar
