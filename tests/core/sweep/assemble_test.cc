#include "core/sweep/assemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "tests/core/sweep/sample_sweep.h"

namespace roar {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kTolerance = 1e-12;

// A planned sweep of attention under ROAR, with results to put in place.
class Experiment {
 public:
  explicit Experiment(const SweepSpec& spec) : plan_(MakePlan(spec)) {}

  // The test values of one seed by step; nothing where there is no result.
  void SetCurve(Measure measure, std::int64_t seed, const std::vector<std::optional<double>>& values) {
    const auto cell = std::ranges::find(plan_.cells, measure, &Cell::measure);
    const auto seed_index = std::ranges::find(plan_.seeds, seed) - plan_.seeds.begin();
    for (std::size_t step = 0; step < values.size(); ++step) {
      if (!values[step]) continue;
      TrainResult& result = results_[cell->trainings[step][seed_index]];
      result.metrics[Split::kTest].accuracy = *values[step];
      result.metrics[Split::kValidation].accuracy = 0.123;  // Must not be read.
    }
  }

  SweepResults Results() const {
    return Assemble(plan_, [this](const JobKey& key) {
      const auto result = results_.find(key);
      return result == results_.end() ? nullptr : &result->second;
    });
  }

 private:
  Plan plan_;
  std::map<JobKey, TrainResult> results_;
};

SweepSpec SmallSweep(std::vector<std::int64_t> steps, std::vector<std::int64_t> seeds) {
  SweepSpec spec = SampleSweep();
  spec.measures = {"attention"};
  spec.strategies = {"roar"};
  spec.steps = std::move(steps);
  spec.seeds = std::move(seeds);
  return spec;
}

// Steps 0, 1/2, 1. Random .9 .8 .5, so the denominator is 1/4 (.4 + .3) + 1/4 (.3 + 0) = .25.
// Seed 3: attention falls to .5 at half, ACU 1/4 (0 + .3) + 1/4 (.3 + 0) = .15, RACU .6.
// Seed 1: to .6, ACU .1, RACU .4.
Experiment TwoSeeds() {
  Experiment experiment(SmallSweep({50}, {3, 1}));
  for (const std::int64_t seed : {3, 1}) experiment.SetCurve(Measure::kRandom, seed, {.9, .8, .5});
  experiment.SetCurve(Measure::kAttention, 3, {.9, .5, .5});
  experiment.SetCurve(Measure::kAttention, 1, {.9, .6, .5});
  return experiment;
}

TEST(Assemble, RacuOfAHandComputedExample) {
  const SweepResults results = TwoSeeds().Results();
  ASSERT_THAT(results.racu, SizeIs(1));
  const RacuResult& racu = results.racu[0];
  EXPECT_EQ(racu.dataset, "babi-1");
  EXPECT_EQ(racu.measure, Measure::kAttention);
  EXPECT_EQ(racu.strategy, Strategy::kRoar);
  EXPECT_THAT(racu.missing, IsEmpty());
  ASSERT_THAT(racu.racu_per_seed, SizeIs(2));
  EXPECT_EQ(racu.racu_per_seed[0].seed, 3);
  EXPECT_NEAR(racu.racu_per_seed[0].value, .6, kTolerance);
  EXPECT_EQ(racu.racu_per_seed[1].seed, 1);
  EXPECT_NEAR(racu.racu_per_seed[1].value, .4, kTolerance);
  ASSERT_THAT(racu.acu_per_seed, SizeIs(2));
  EXPECT_NEAR(racu.acu_per_seed[0].value, .15, kTolerance);
  EXPECT_NEAR(racu.acu_per_seed[1].value, .1, kTolerance);
  EXPECT_NEAR(racu.acu->mean, .125, kTolerance);
  // Two values resample to the means .4 .5 .5 .6; symmetric, so BCa is the plain 2.5 and 97.5 percentile of these.
  EXPECT_NEAR(racu.racu->mean, .5, kTolerance);
  EXPECT_TRUE(racu.racu->has_interval);
  EXPECT_NEAR(racu.racu->ci_low, .4075, 1e-6);
  EXPECT_NEAR(racu.racu->ci_high, .5925, 1e-6);
}

TEST(Assemble, CurvesComeByCellWithRandomFirst) {
  const SweepResults results = TwoSeeds().Results();
  ASSERT_THAT(results.curves, SizeIs(2));
  EXPECT_EQ(results.curves[0].measure, Measure::kRandom);
  EXPECT_EQ(results.curves[1].measure, Measure::kAttention);
  EXPECT_EQ(results.curves[1].dataset, "babi-1");
  EXPECT_EQ(results.curves[1].metric, Metric::kAccuracy);
  const auto& points = results.curves[1].points;
  ASSERT_THAT(points, SizeIs(3));
  EXPECT_EQ(points[1].step, 50);
  ASSERT_THAT(points[1].per_seed, SizeIs(2));
  EXPECT_EQ(points[1].per_seed[0].seed, 3);
  EXPECT_EQ(points[1].per_seed[0].value, .5);
  EXPECT_NEAR(points[1].interval->mean, .55, kTolerance);
  EXPECT_NEAR(points[1].interval->ci_low, .50375, 1e-6);
  EXPECT_EQ(points[2].step, 100);
  EXPECT_EQ(points[2].interval->ci_low, points[2].interval->ci_high);
}

TEST(Assemble, OneSeedHasNoInterval) {
  Experiment experiment(SmallSweep({50}, {0}));
  experiment.SetCurve(Measure::kRandom, 0, {.9, .8, .5});
  experiment.SetCurve(Measure::kAttention, 0, {.9, .5, .5});
  const SweepResults results = experiment.Results();
  EXPECT_FALSE(results.racu[0].racu->has_interval);
  EXPECT_NEAR(results.racu[0].racu->mean, .6, kTolerance);
  EXPECT_FALSE(results.curves[0].points[0].interval->has_interval);
}

TEST(Assemble, AMissingTrainingIsAGapAndAReason) {
  Experiment experiment(SmallSweep({40, 70, 80}, {0, 1}));
  for (const std::int64_t seed : {0, 1}) experiment.SetCurve(Measure::kRandom, seed, {.9, .8, .7, .6, .5});
  experiment.SetCurve(Measure::kAttention, 0, {.9, .6, {}, {}, .5});
  experiment.SetCurve(Measure::kAttention, 1, {.9, .6, .5, {}, .5});
  const SweepResults results = experiment.Results();
  const auto& points = results.curves[1].points;
  EXPECT_THAT(points[1].per_seed, SizeIs(2));
  EXPECT_THAT(points[2].per_seed, SizeIs(1));
  EXPECT_FALSE(points[2].interval->has_interval);
  EXPECT_THAT(points[3].per_seed, IsEmpty());
  EXPECT_FALSE(points[3].interval.has_value());
  const RacuResult& racu = results.racu[0];
  EXPECT_FALSE(racu.racu.has_value());
  EXPECT_FALSE(racu.acu.has_value());
  ASSERT_THAT(racu.missing, SizeIs(2));
  EXPECT_EQ(racu.missing[0].seed, 0);
  EXPECT_EQ(racu.missing[0].reason, "no result at 70 % masked for attention");
  EXPECT_EQ(racu.missing[1].seed, 1);
  EXPECT_EQ(racu.missing[1].reason, "no result at 80 % masked for attention");
}

TEST(Assemble, OtherSeedsGoOnWithoutTheOneThatLacksItsBaseline) {
  Experiment experiment(SmallSweep({50}, {0, 1}));
  experiment.SetCurve(Measure::kRandom, 0, {.9, {}, .5});
  experiment.SetCurve(Measure::kRandom, 1, {.9, .8, .5});
  for (const std::int64_t seed : {0, 1}) experiment.SetCurve(Measure::kAttention, seed, {.9, .5, .5});
  const RacuResult racu = experiment.Results().racu[0];
  ASSERT_THAT(racu.missing, SizeIs(1));
  EXPECT_EQ(racu.missing[0].seed, 0);
  EXPECT_EQ(racu.missing[0].reason, "no result at 50 % masked for random");
  ASSERT_THAT(racu.racu_per_seed, SizeIs(1));
  EXPECT_EQ(racu.racu_per_seed[0].seed, 1);
  EXPECT_NEAR(racu.racu->mean, .6, kTolerance);
}

TEST(Assemble, AZeroDenominatorIsAReasonForItsSeedAndNeverNaN) {
  Experiment experiment(SmallSweep({50}, {0, 1}));
  experiment.SetCurve(Measure::kRandom, 0, {.5, .5, .5});
  experiment.SetCurve(Measure::kAttention, 0, {.5, .4, .5});
  experiment.SetCurve(Measure::kRandom, 1, {.9, .8, .5});
  experiment.SetCurve(Measure::kAttention, 1, {.9, .5, .5});
  const RacuResult racu = experiment.Results().racu[0];
  ASSERT_THAT(racu.missing, SizeIs(1));
  EXPECT_EQ(racu.missing[0].seed, 0);
  EXPECT_FALSE(racu.missing[0].reason.empty());
  ASSERT_THAT(racu.racu_per_seed, SizeIs(1));
  EXPECT_NEAR(racu.racu->mean, .6, kTolerance);
  ASSERT_THAT(racu.acu_per_seed, SizeIs(2));
  EXPECT_NEAR(racu.acu_per_seed[0].value, .05, kTolerance);
}

TEST(Assemble, AValueThatIsNotFiniteIsAGap) {
  Experiment experiment(SmallSweep({50}, {0}));
  experiment.SetCurve(Measure::kRandom, 0, {.9, .8, .5});
  experiment.SetCurve(Measure::kAttention, 0, {.9, std::numeric_limits<double>::quiet_NaN(), .5});
  const SweepResults results = experiment.Results();
  EXPECT_FALSE(results.curves[1].points[1].interval.has_value());
  EXPECT_EQ(results.racu[0].missing[0].reason, "no result at 50 % masked for attention");
}

TEST(Assemble, CountsHaveCurvesButNoRacu) {
  SweepSpec spec = SmallSweep({1, 2}, {0});
  spec.unit = MaskUnit::kCount;
  Experiment experiment(spec);
  experiment.SetCurve(Measure::kRandom, 0, {.9, .8, .7});
  experiment.SetCurve(Measure::kAttention, 0, {.9, .7, .5});
  const SweepResults results = experiment.Results();
  EXPECT_EQ(results.unit, MaskUnit::kCount);
  EXPECT_THAT(results.racu, IsEmpty());
  ASSERT_THAT(results.curves, SizeIs(2));
  ASSERT_THAT(results.curves[1].points, SizeIs(3));
  EXPECT_EQ(results.curves[1].points[2].step, 2);
  EXPECT_EQ(results.curves[1].points[2].interval->mean, .5);
}

TEST(Assemble, ASweepWithoutResultsHasEmptyCurvesAndReasons) {
  const SweepResults results = Experiment(SmallSweep({50}, {0, 1})).Results();
  for (const Curve& curve : results.curves) {
    for (const CurvePoint& point : curve.points) EXPECT_FALSE(point.interval.has_value());
  }
  EXPECT_THAT(results.racu[0].missing, SizeIs(2));
}

TEST(Assemble, RacuComparesWithTheBaselineOfItsOwnDataSet) {
  SweepSpec spec = SmallSweep({50}, {0});
  spec.strategies = {"roar", "recursive"};
  spec.datasets.push_back({"babi-2", {std::string(64, 'b'), 0}});
  const Plan plan = MakePlan(spec);
  std::map<JobKey, TrainResult> results;
  const std::map<std::pair<std::string, Measure>, std::vector<double>> curves = {
      {{"babi-1", Measure::kRandom}, {.9, .8, .5}},
      {{"babi-1", Measure::kAttention}, {.9, .5, .5}},
      {{"babi-2", Measure::kRandom}, {.9, .7, .5}},
      {{"babi-2", Measure::kAttention}, {.9, .6, .5}}};
  for (const Cell& cell : plan.cells) {
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
      results[cell.trainings[step][0]].metrics[Split::kTest].accuracy = curves.at({cell.dataset, cell.measure})[step];
    }
  }
  const auto racu = Assemble(plan, [&](const JobKey& key) { return &results.at(key); }).racu;
  std::vector<double> means;
  for (const RacuResult& result : racu) means.push_back(result.racu->mean);
  // The other data set: 1/4 (.1 + .1) over 1/4 (.4 + .2 + .2) = .25.
  EXPECT_THAT(means, ElementsAre(::testing::DoubleNear(.6, kTolerance), ::testing::DoubleNear(.6, kTolerance),
                                 ::testing::DoubleNear(.25, kTolerance), ::testing::DoubleNear(.25, kTolerance)));
}

}  // namespace
}  // namespace roar
