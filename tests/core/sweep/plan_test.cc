#include "core/sweep/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "core/experiment/job_key.h"
#include "tests/core/sweep/sample_sweep.h"

namespace roar {
namespace {

using ::testing::ElementsAre;

JobCount CountOf(const Plan& plan) {
  JobCount count;
  for (const PlannedJob& job : plan.jobs) {
    (KindOf(job.spec) == JobKind::kTrain ? count.trainings : count.explanations) += 1;
  }
  return count;
}

// Jobs by their place in the plan, so that the text shows the graph and not its hashes.
class PlanText {
 public:
  explicit PlanText(const Plan& plan) {
    for (const PlannedJob& job : plan.jobs) AddJob(job);
    for (const Cell& cell : plan.cells) AddCell(plan, cell);
  }
  std::string text() const { return text_.str(); }

 private:
  void AddJob(const PlannedJob& job) {
    const std::size_t number = numbers_.size();
    numbers_[job.key] = number;
    text_ << number << " ";
    std::visit([this](const auto& spec) { Describe(spec); }, job.spec);
    text_ << " <-";
    for (const JobKey& input : job.inputs) text_ << " " << numbers_.at(input);
    text_ << "\n";
  }
  void AddCell(const Plan& plan, const Cell& cell) {
    text_ << cell.dataset << " " << Name(cell.model) << " " << Name(cell.measure) << " " << Name(cell.strategy) << " "
          << Name(cell.metric);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      text_ << " " << plan.steps[i] << ":";
      for (const JobKey& key : cell.trainings[i]) text_ << numbers_.at(key) << ",";
    }
    text_ << "\n";
  }
  void Describe(const TrainSpec& spec) {
    text_ << "train seed " << spec.seed << " ";
    std::visit([this](const auto& mask) { Describe(mask); }, spec.mask);
  }
  void Describe(const ExplainSpec& spec) {
    text_ << "explain ";
    std::visit([this](const auto& source) { Describe(source); }, spec.source);
    text_ << " " << Name(spec.settings.measure);
    if (spec.settings.integrated_gradient_variant == IntegratedGradientVariant::kTextbook) text_ << " textbook";
  }
  void Describe(const ExplainShardSpec&) { ADD_FAILURE() << "a plan has no shards"; }
  void Describe(const JobKey& train) { text_ << numbers_.at(train); }
  void Describe(const MaskedData& data) {
    text_ << "data ";
    std::visit([this](const auto& mask) { Describe(mask); }, data.mask);
  }
  void Describe(const NoMask&) { text_ << "none"; }
  void Describe(const AllMasked&) { text_ << "all"; }
  void Describe(const RandomMask& mask) {
    text_ << "random(" << mask.seed << ") " << Name(mask.unit) << " " << mask.amount;
  }
  void Describe(const RankedMask& mask) {
    text_ << "ranked(" << numbers_.at(mask.explanation) << ") " << Name(mask.unit) << " " << mask.amount;
  }

  std::map<JobKey, std::size_t> numbers_;
  std::ostringstream text_;
};

TEST(MakePlan, OfASmallSweepIsFrozen) {
  SweepSpec spec = SampleSweep();
  spec.measures = {"random", "attention"};
  spec.steps = {30, 60};
  spec.seeds = {4, 0};
  EXPECT_EQ(PlanText(MakePlan(spec)).text(),
            "0 train seed 4 none <-\n"
            "1 train seed 4 random(4) ratios 30 <-\n"
            "2 train seed 4 random(4) ratios 60 <-\n"
            "3 train seed 4 all <-\n"
            "4 train seed 0 none <-\n"
            "5 train seed 0 random(0) ratios 30 <-\n"
            "6 train seed 0 random(0) ratios 60 <-\n"
            "7 train seed 0 all <-\n"
            "8 explain 0 attention <- 0\n"
            "9 train seed 4 ranked(8) ratios 30 <- 8\n"
            "10 train seed 4 ranked(8) ratios 60 <- 8\n"
            "11 explain 4 attention <- 4\n"
            "12 train seed 0 ranked(11) ratios 30 <- 11\n"
            "13 train seed 0 ranked(11) ratios 60 <- 11\n"
            "14 explain 9 attention <- 9 8\n"
            "15 train seed 4 ranked(14) ratios 60 <- 14\n"
            "16 explain 12 attention <- 12 11\n"
            "17 train seed 0 ranked(16) ratios 60 <- 16\n"
            "babi-1 bilstm_attention random roar accuracy 0:0,4, 30:1,5, 60:2,6, 100:3,7,\n"
            "babi-1 bilstm_attention random recursive accuracy 0:0,4, 30:1,5, 60:2,6, 100:3,7,\n"
            "babi-1 bilstm_attention attention roar accuracy 0:0,4, 30:9,12, 60:10,13, 100:3,7,\n"
            "babi-1 bilstm_attention attention recursive accuracy 0:0,4, 30:9,12, 60:15,17, 100:3,7,\n");
}

TEST(MakePlan, OfCountsHasNoFullyMaskedPoint) {
  SweepSpec spec = SampleSweep();
  spec.measures = {"gradient"};
  spec.strategies = {"recursive"};
  spec.unit = MaskUnit::kCount;
  spec.steps = {1, 100};
  EXPECT_EQ(PlanText(MakePlan(spec)).text(),
            "0 train seed 0 none <-\n"
            "1 train seed 0 random(0) counts 1 <-\n"
            "2 train seed 0 random(0) counts 100 <-\n"
            "3 explain 0 gradient <- 0\n"
            "4 train seed 0 ranked(3) counts 1 <- 3\n"
            "5 explain 4 gradient <- 4 3\n"
            "6 train seed 0 ranked(5) counts 100 <- 5\n"
            "babi-1 bilstm_attention random recursive accuracy 0:0, 1:1, 100:2,\n"
            "babi-1 bilstm_attention gradient recursive accuracy 0:0, 1:4, 100:6,\n");
}

// No training is among what explanations of data read, and both seeds share them.
TEST(MakePlan, OfMutualInformationIsFrozen) {
  SweepSpec spec = SampleSweep();
  spec.measures = {"mutual_information"};
  spec.strategies = {"recursive"};
  spec.steps = {30, 60};
  spec.seeds = {4, 0};
  EXPECT_EQ(PlanText(MakePlan(spec)).text(),
            "0 train seed 4 none <-\n"
            "1 train seed 4 random(4) ratios 30 <-\n"
            "2 train seed 4 random(4) ratios 60 <-\n"
            "3 train seed 4 all <-\n"
            "4 train seed 0 none <-\n"
            "5 train seed 0 random(0) ratios 30 <-\n"
            "6 train seed 0 random(0) ratios 60 <-\n"
            "7 train seed 0 all <-\n"
            "8 explain data none mutual_information <-\n"
            "9 train seed 4 ranked(8) ratios 30 <- 8\n"
            "10 explain data ranked(8) ratios 30 mutual_information <- 8\n"
            "11 train seed 4 ranked(10) ratios 60 <- 10\n"
            "12 train seed 0 ranked(8) ratios 30 <- 8\n"
            "13 train seed 0 ranked(10) ratios 60 <- 10\n"
            "babi-1 bilstm_attention random recursive accuracy 0:0,4, 30:1,5, 60:2,6, 100:3,7,\n"
            "babi-1 bilstm_attention mutual_information recursive accuracy 0:0,4, 30:9,12, 60:11,13, 100:3,7,\n");
}

// The jobs are those of the usual metric: what is trained does not depend on what is drawn.
TEST(MakePlan, CurvesAreOfTheMetricThatIsAskedFor) {
  SweepSpec spec = SampleSweep();
  const Plan usual = MakePlan(spec);
  spec.test_metric = "auroc";
  const Plan plan = MakePlan(spec);
  EXPECT_TRUE(std::ranges::equal(plan.jobs, usual.jobs, {}, &PlannedJob::key, &PlannedJob::key));
  for (const Cell& cell : plan.cells) EXPECT_EQ(cell.metric, Metric::kAuroc);
}

TEST(MakePlan, TheVariantReachesIntegratedGradientOnly) {
  SweepSpec spec = SampleSweep();
  spec.measures = {"gradient", "integrated_gradient"};
  spec.ig_variant = "textbook";
  std::map<std::string, int> textbook;
  for (const PlannedJob& job : MakePlan(spec).jobs) {
    const auto* explain = std::get_if<ExplainSpec>(&job.spec);
    if (explain == nullptr) continue;
    const bool is_textbook = explain->settings.integrated_gradient_variant == IntegratedGradientVariant::kTextbook;
    textbook[std::string(Name(explain->settings.measure))] += is_textbook ? 1 : 0;
  }
  EXPECT_EQ(textbook, (std::map<std::string, int>{{"gradient", 0}, {"integrated_gradient", 9}}));
}

// method-recursive-roar.md section 2, ratios 10..90 and one seed: four measures that explain a model make 47 trainings
// and 36 explanations, 79 trainings for both strategies.
TEST(MakePlan, HasTheJobsOfTheMethod) {
  struct Row {
    std::vector<std::string> measures;
    std::vector<std::string> strategies;
    JobCount count;
  };
  const std::vector<std::string> kModelMeasures = {"attention", "gradient", "input_times_gradient",
                                                   "integrated_gradient"};
  const std::vector<Row> table = {
      {{"random"}, {"roar", "recursive"}, {11, 0}},
      {{"attention"}, {"recursive"}, {1 + 1 + 9 + 9, 9}},
      {{"attention"}, {"roar"}, {1 + 1 + 9 + 9, 1}},
      {{"gradient"}, {"roar", "recursive"}, {1 + 1 + 9 + 9 + 8, 9}},
      {{"attention", "gradient"}, {"recursive"}, {1 + 1 + 9 + 2 * 9, 2 * 9}},
      {{"random", "attention", "gradient"}, {"recursive", "roar"}, {1 + 1 + 9 + 2 * 9 + 2 * 8, 2 * 9}},
      {kModelMeasures, {"recursive"}, {47, 36}},
      {kModelMeasures, {"roar", "recursive"}, {79, 36}},
      {kModelMeasures, {"roar"}, {47, 4}},
      {{"mutual_information"}, {"recursive"}, {1 + 1 + 9 + 9, 9}},
  };
  for (const Row& row : table) {
    SweepSpec spec = SampleSweep();
    spec.measures = row.measures;
    spec.strategies = row.strategies;
    const JobCount count = CountOf(MakePlan(spec));
    EXPECT_EQ(count.trainings, row.count.trainings) << row.measures.size() << " measures";
    EXPECT_EQ(count.explanations, row.count.explanations) << row.measures.size() << " measures";
  }
}

TEST(MakePlan, WrittenImpliedRatiosChangeNothing) {
  SweepSpec spec = SampleSweep();
  const std::string plain = PlanText(MakePlan(spec)).text();
  spec.steps.insert(spec.steps.begin(), 0);
  spec.steps.push_back(100);
  EXPECT_EQ(PlanText(MakePlan(spec)).text(), plain);
}

TEST(MakePlan, DataSetsOfEqualContentShareTheirJobs) {
  SweepSpec spec = SampleSweep();
  const std::size_t jobs_of_one = MakePlan(spec).jobs.size();
  spec.datasets.push_back({"babi-gen-1", spec.datasets[0].reference});
  const Plan plan = MakePlan(spec);
  EXPECT_EQ(plan.jobs.size(), jobs_of_one);
  EXPECT_EQ(plan.cells.size(), 2u * 3u * 2u);
  EXPECT_EQ(plan.cells.front().trainings, plan.cells[6].trainings);
  EXPECT_EQ(plan.cells[6].dataset, "babi-gen-1");

  spec.datasets[1].reference.limit = 100;
  EXPECT_EQ(MakePlan(spec).jobs.size(), 2 * jobs_of_one);
}

TEST(MakePlan, SeedsShareNothing) {
  SweepSpec spec = SampleSweep();
  const std::size_t jobs_of_one = MakePlan(spec).jobs.size();
  spec.seeds = {3, 1, 2};
  const Plan plan = MakePlan(spec);
  EXPECT_EQ(plan.jobs.size(), 3 * jobs_of_one);
  EXPECT_THAT(plan.seeds, ElementsAre(3, 1, 2));
}

TEST(MakePlan, TrainingOverridesReachEveryTraining) {
  SweepSpec spec = SampleSweep();
  spec.training.epochs = 7;
  for (const PlannedJob& job : MakePlan(spec).jobs) {
    if (const auto* train = std::get_if<TrainSpec>(&job.spec)) {
      EXPECT_EQ(train->training.epochs, 7);
    }
  }
}

}  // namespace
}  // namespace roar
