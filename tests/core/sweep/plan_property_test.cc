#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/experiment/job_key.h"
#include "core/sweep/plan.h"
#include "core/sweep/presets.h"
#include "tests/core/sweep/sample_sweep.h"

namespace roar {
namespace {

template <typename T>
std::vector<T> NonEmptySubset(const std::vector<T>& all) {
  const int chosen = *rc::gen::inRange(1, 1 << all.size());
  std::vector<T> subset;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen >> i & 1) subset.push_back(all[i]);
  }
  return subset;
}

SweepSpec AnySweep() {
  SweepSpec spec = SampleSweep();
  spec.datasets = NonEmptySubset<SweepDataset>({{"babi-1", {std::string(64, 'a'), 0}},
                                                {"babi-2", {std::string(64, 'b'), 0}},
                                                {"own", {std::string(64, 'a'), 9}}});
  spec.measures = NonEmptySubset<std::string>(
      {"gradient", "random", "attention", "input_times_gradient", "integrated_gradient", "mutual_information"});
  spec.ig_variant = *rc::gen::element<std::optional<std::string>>(std::nullopt, "published", "textbook");
  spec.strategies = NonEmptySubset<std::string>({"recursive", "roar"});
  spec.unit = *rc::gen::element(MaskUnit::kRatioPercent, MaskUnit::kCount);
  spec.steps = NonEmptySubset<std::int64_t>({1, 10, 25, 50, 75, 99});
  spec.seeds = NonEmptySubset<std::int64_t>({5, 0, 3});
  return spec;
}

std::vector<JobKey> KeysReadBy(const Mask& mask) {
  const auto* ranked = std::get_if<RankedMask>(&mask);
  return ranked ? std::vector<JobKey>{ranked->explanation} : std::vector<JobKey>{};
}

std::vector<JobKey> KeysReadBy(const JobSpec& spec, const std::map<JobKey, JobSpec>& before) {
  if (const auto* train = std::get_if<TrainSpec>(&spec)) return KeysReadBy(train->mask);
  const auto& source = std::get<ExplainSpec>(spec).source;
  if (const auto* data = std::get_if<MaskedData>(&source)) return KeysReadBy(data->mask);
  const JobKey& explained = std::get<JobKey>(source);
  std::vector<JobKey> keys{explained};
  const auto model = before.find(explained);
  RC_ASSERT(model != before.end());
  for (const JobKey& key : KeysReadBy(model->second, before)) keys.push_back(key);
  return keys;
}

RC_GTEST_PROP(PlanProperty, JobsComeOnceAndAfterAllTheyRead, ()) {
  const SweepSpec spec = AnySweep();
  RC_ASSERT(Validate(spec).empty());
  std::map<JobKey, JobSpec> before;
  for (const PlannedJob& job : MakePlan(spec).jobs) {
    RC_ASSERT(job.key == KeyOf(job.spec));
    RC_ASSERT(job.inputs == KeysReadBy(job.spec, before));
    for (const JobKey& input : job.inputs) RC_ASSERT(before.contains(input));
    RC_ASSERT(before.emplace(job.key, job.spec).second);
  }
}

RC_GTEST_PROP(PlanProperty, EveryJobServesACellAndEveryCellIsServed, ()) {
  const Plan plan = MakePlan(AnySweep());
  std::set<JobKey> trained;
  std::set<JobKey> read;
  for (const PlannedJob& job : plan.jobs) {
    if (KindOf(job.spec) == JobKind::kTrain) trained.insert(job.key);
    read.insert(job.inputs.begin(), job.inputs.end());
  }
  std::set<JobKey> drawn;
  for (const Cell& cell : plan.cells) {
    RC_ASSERT(cell.trainings.size() == plan.steps.size());
    for (const auto& at_step : cell.trainings) {
      RC_ASSERT(at_step.size() == plan.seeds.size());
      drawn.insert(at_step.begin(), at_step.end());
    }
  }
  RC_ASSERT(drawn == trained);
  for (const PlannedJob& job : plan.jobs) RC_ASSERT(drawn.contains(job.key) || read.contains(job.key));
}

RC_GTEST_PROP(PlanProperty, JobsPerDatasetCountsThem, ()) {
  const SweepSpec spec = AnySweep();
  PlanShape shape{.unit = spec.unit, .steps = static_cast<std::int64_t>(spec.steps.size())};
  for (const std::string& name : spec.measures) {
    if (name == "mutual_information") ++shape.data_measures;
    if (name != "mutual_information" && name != "random") ++shape.model_measures;
  }
  for (const std::string& name : spec.strategies) shape.strategies.push_back(*StrategyFromName(name));
  shape.repetitions = std::ssize(spec.seeds);
  const JobCount count = JobsPerDataset(shape);
  const std::vector<PlannedJob> jobs = MakePlan(spec).jobs;
  const std::int64_t datasets = std::ssize(spec.datasets);
  const auto is_training = [](const PlannedJob& job) { return KindOf(job.spec) == JobKind::kTrain; };
  RC_ASSERT(std::ranges::count_if(jobs, is_training) == count.trainings * datasets);
  RC_ASSERT(std::ssize(jobs) == (count.trainings + count.explanations) * datasets);
}

// The explanation by the cell's measure of what the training was trained on.
ExplainSpec ExplanationOf(const SweepSpec& sweep, const Cell& cell, const TrainSpec& training) {
  if (cell.measure == Measure::kMutualInformation) return {MaskedData{training.dataset, training.mask}, {cell.measure}};
  ExplainSpec spec{KeyOf(training), {cell.measure}};
  const bool textbook = cell.measure == Measure::kIntegratedGradient && sweep.ig_variant == "textbook";
  if (textbook) spec.settings.integrated_gradient_variant = IntegratedGradientVariant::kTextbook;
  return spec;
}

// The definition of both strategies, written down again without sharing or order: a cell's training at one of the
// plan's steps.
TrainSpec TrainingAt(const SweepSpec& sweep, const Plan& plan, const Cell& cell, const TrainSpec& unmasked,
                     std::size_t step) {
  TrainSpec spec = unmasked;
  const std::int64_t amount = plan.steps[step];
  const bool all = plan.unit == MaskUnit::kRatioPercent && amount == 100;
  if (step > 0 && all) spec.mask = AllMasked{};
  if (step > 0 && !all && cell.measure == Measure::kRandom) spec.mask = RandomMask{plan.unit, amount, spec.seed};
  if (step > 0 && !all && cell.measure != Measure::kRandom) {
    const std::size_t explained_step = cell.strategy == Strategy::kRecursive ? step - 1 : 0;
    const TrainSpec explained = TrainingAt(sweep, plan, cell, unmasked, explained_step);
    spec.mask = RankedMask{KeyOf(ExplanationOf(sweep, cell, explained)), plan.unit, amount};
  }
  return spec;
}

RC_GTEST_PROP(PlanProperty, CellsFollowTheDefinition, ()) {
  const SweepSpec spec = AnySweep();
  const Plan plan = MakePlan(spec);
  for (const Cell& cell : plan.cells) {
    const auto dataset = std::ranges::find(spec.datasets, cell.dataset, &SweepDataset::name);
    for (std::size_t seed = 0; seed < plan.seeds.size(); ++seed) {
      const TrainSpec unmasked{dataset->reference, cell.model, PresetFor(cell.dataset, cell.model).training, NoMask{},
                               plan.seeds[seed]};
      for (std::size_t step = 0; step < plan.steps.size(); ++step) {
        RC_ASSERT(cell.trainings[step][seed] == KeyOf(TrainingAt(spec, plan, cell, unmasked, step)));
      }
    }
  }
}

std::map<std::int64_t, JobKey> CurveOf(const SweepSpec& spec, Measure measure) {
  const Plan plan = MakePlan(spec);
  const auto cell = std::ranges::find(plan.cells, measure, &Cell::measure);
  std::map<std::int64_t, JobKey> curve;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) curve[plan.steps[i]] = cell->trainings[i].front();
  return curve;
}

RC_GTEST_PROP(PlanProperty, TheFirstRecursiveLinkIsTheRoarPoint, ()) {
  SweepSpec spec = AnySweep();
  spec.measures = {"gradient"};
  spec.strategies = {"roar"};
  const auto roar = CurveOf(spec, Measure::kGradient);
  spec.strategies = {"recursive"};
  const auto recursive = CurveOf(spec, Measure::kGradient);
  for (const auto& [step, key] : roar) {
    const bool shared = step <= spec.steps.front() || (spec.unit == MaskUnit::kRatioPercent && step == 100);
    RC_ASSERT((recursive.at(step) == key) == shared);
  }
}

RC_GTEST_PROP(PlanProperty, ExplanationsWithoutAModelWaitForNoTrainingAndForNoSeed, ()) {
  SweepSpec spec = AnySweep();
  spec.measures = {"mutual_information"};
  std::set<JobKey> explanations;
  for (const PlannedJob& job : MakePlan(spec).jobs) {
    if (KindOf(job.spec) == JobKind::kTrain) continue;
    for (const JobKey& input : job.inputs) RC_ASSERT(explanations.contains(input));
    explanations.insert(job.key);
  }
  spec.seeds = {17};
  for (const PlannedJob& job : MakePlan(spec).jobs) {
    if (KindOf(job.spec) == JobKind::kExplain) RC_ASSERT(explanations.erase(job.key) == 1u);
  }
  RC_ASSERT(explanations.empty());
}

// Another ladder of steps reuses what fits: all of ROAR and of random; of a recursive chain what lies before the gap.
RC_GTEST_PROP(PlanProperty, DroppingAStepKeepsWhatDoesNotDependOnIt, ()) {
  SweepSpec spec = AnySweep();
  spec.measures = {"attention"};
  spec.strategies = NonEmptySubset<std::string>({"roar", "recursive"});
  spec.strategies.resize(1);
  RC_PRE(spec.steps.size() > 1);
  const Measure measure = *rc::gen::element(Measure::kRandom, Measure::kAttention);
  const auto whole = CurveOf(spec, measure);
  const auto dropped = spec.steps.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, spec.steps.size());
  const std::int64_t gap = *dropped;
  spec.steps.erase(dropped);
  const bool chained = measure != Measure::kRandom && spec.strategies[0] == "recursive";
  for (const auto& [step, key] : CurveOf(spec, measure)) {
    const bool full = spec.unit == MaskUnit::kRatioPercent && step == 100;
    RC_ASSERT((key == whole.at(step)) == (!chained || step < gap || full));
  }
}

}  // namespace
}  // namespace roar
