#include "worker/ml/run_job.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ml/fresh_session.h"
#include "tests/ml/tiny_data.h"

namespace roar::ml {
namespace {

using ::testing::HasSubstr;

constexpr Measure kModelMeasures[] = {Measure::kAttention, Measure::kGradient, Measure::kInputTimesGradient,
                                      Measure::kIntegratedGradient};

class ThreadsOnce : public ::testing::Environment {
  void SetUp() override { SetUpThreads(1); }
};
const auto* const kThreads = ::testing::AddGlobalTestEnvironment(new ThreadsOnce);

void WriteFile(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

class RunJobTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / ("run_job_test." + std::string(test->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Checkpoint(const std::string& name = "checkpoint") const { return folder_ / name; }

  absl::StatusOr<TrainOutcome> TrainTiny(const EncodedDataset& dataset, std::int64_t epochs = 2) const {
    return Train(TinySpec(epochs), dataset, Checkpoint(), nullptr);
  }

  std::filesystem::path folder_;
};

TEST_F(RunJobTest, LearnsASimpleTaskAndStopsAtAPerfectValidation) {
  const auto outcome = TrainTiny(LearnableDataset(), 60);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->metrics.at(Split::kValidation).accuracy, 1.0);
  EXPECT_EQ(outcome->metrics.at(Split::kTest).accuracy, 1.0);
  EXPECT_EQ(outcome->metrics.at(Split::kTest).macro_f1, 1.0);
  EXPECT_EQ(outcome->metrics.at(Split::kTest).examples, 60);
  EXPECT_LT(outcome->epochs_run, 60);
  EXPECT_EQ(outcome->best_epoch, outcome->epochs_run);
}

TEST_F(RunJobTest, SameArgumentsGiveTheSameMetricsBytesAndScores) {
  const EncodedDataset dataset = RandomDataset(1);
  const auto first = Train(TinySpec(), dataset, Checkpoint("a"), nullptr);
  const auto second = Train(TinySpec(), dataset, Checkpoint("b"), nullptr);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->metrics, second->metrics);
  EXPECT_EQ(first->best_epoch, second->best_epoch);
  EXPECT_EQ(BytesOf(Checkpoint("a")), BytesOf(Checkpoint("b")));
  for (const Measure measure : kModelMeasures) {
    const auto scores = Explain(TinySpec(), dataset, {measure}, Checkpoint("a"), nullptr);
    ASSERT_TRUE(scores.ok()) << scores.status();
    EXPECT_EQ(*scores, *Explain(TinySpec(), dataset, {measure}, Checkpoint("b"), nullptr));
  }
}

TEST_F(RunJobTest, AnotherSeedIsAnotherModel) {
  TrainSpec other = TinySpec();
  other.seed = 8;
  ASSERT_TRUE(TrainTiny(RandomDataset(1)).ok());
  ASSERT_TRUE(Train(other, RandomDataset(1), Checkpoint("other"), nullptr).ok());
  EXPECT_NE(BytesOf(Checkpoint()), BytesOf(Checkpoint("other")));
}

TEST_F(RunJobTest, MaskAndDatasetOfTheSpecAreNotLookedAt) {
  TrainSpec other = TinySpec();
  other.mask = AllMasked{};
  other.dataset.content_sha256 = "another";
  ASSERT_TRUE(TrainTiny(RandomDataset(1)).ok());
  ASSERT_TRUE(Train(other, RandomDataset(1), Checkpoint("other"), nullptr).ok());
  EXPECT_EQ(BytesOf(Checkpoint()), BytesOf(Checkpoint("other")));
}

TEST_F(RunJobTest, ScoresOfAnExampleDoNotDependOnItsNeighbours) {
  const EncodedDataset dataset = RandomDataset(2);
  ASSERT_TRUE(TrainTiny(dataset).ok());
  for (const Measure measure : kModelMeasures) {
    const auto together = Explain(TinySpec(), dataset, {measure}, Checkpoint(), nullptr);
    ASSERT_TRUE(together.ok()) << together.status();
    for (const std::size_t i : {0, 33, 69}) {
      EncodedDataset alone = dataset;
      for (auto& [split, examples] : alone.splits) examples = {examples[i]};
      const auto scores = Explain(TinySpec(), alone, {measure}, Checkpoint(), nullptr);
      ASSERT_TRUE(scores.ok()) << scores.status();
      const auto& expected = together->at(Split::kTest)[i];
      const auto& actual = scores->at(Split::kTest)[0];
      ASSERT_EQ(actual.size(), dataset.splits.at(Split::kTest)[i].tokens.size());
      for (std::size_t t = 0; t < actual.size(); ++t) {
        EXPECT_NEAR(actual[t], expected[t], 1e-5 * std::abs(expected[t]) + 1e-8);
      }
    }
  }
}

TEST_F(RunJobTest, AwkwardDataGiveFiniteResults) {
  const std::vector<EncodedExample> all_masked(5, {{kCls, kMask, kMask, kEos}, {kCls, 5, kEos}, 1});
  const std::vector<EncodedExample> nothing_maskable(5, {{kCls, kEos}, {kCls, 5, kEos}, 1});
  const std::vector<EncodedExample> single = {{{kCls, 6, kEos}, {kCls, 5, kEos}, 0}};
  const std::vector<EncodedExample> one_more_than_a_batch = RandomExamples(4, 17, 12, 3);
  for (const auto& examples : {all_masked, nothing_maskable, single, one_more_than_a_batch}) {
    EncodedDataset dataset{.splits = {}, .vocabulary_size = 12, .class_count = 3};
    for (const Split split : kAllSplits) dataset.splits[split] = examples;
    const auto outcome = TrainTiny(dataset);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    for (const auto& [split, metrics] : outcome->metrics) EXPECT_TRUE(std::isfinite(metrics.loss));
    for (const Measure measure : kModelMeasures) {
      const auto scores = Explain(TinySpec(), dataset, {measure}, Checkpoint(), nullptr);
      ASSERT_TRUE(scores.ok()) << scores.status();
      for (const auto& of_example : scores->at(Split::kTrain)) {
        for (const float score : of_example) EXPECT_TRUE(std::isfinite(score));
      }
    }
  }
}

TEST_F(RunJobTest, KeepsTheEarliestBestEpoch) {
  // A learning rate too small to change a prediction: every epoch is as good as the first.
  TrainSpec spec = TinySpec(4);
  spec.training.learning_rate = 1e-12;
  const auto outcome = Train(spec, RandomDataset(1), Checkpoint(), nullptr);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->best_epoch, 1);
  EXPECT_EQ(outcome->epochs_run, 4);
}

TEST_F(RunJobTest, ALossThatIsNotFiniteIsDataLossNamingEpochAndStep) {
  TrainSpec spec = TinySpec(5);
  spec.training.learning_rate = 1e37;
  const auto outcome = Train(spec, RandomDataset(1), Checkpoint(), nullptr);
  EXPECT_EQ(outcome.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(outcome.status().message()), ::testing::ContainsRegex("nan in epoch 1, step [23];"));
  EXPECT_FALSE(std::filesystem::exists(Checkpoint()));
}

TEST_F(RunJobTest, RefusesDataOutOfRange) {
  using Change = void (*)(EncodedDataset&);
  const Change changes[] = {
      [](EncodedDataset& d) { d.splits[Split::kTest][3].tokens[0] = 12; },
      [](EncodedDataset& d) { d.splits[Split::kTest][3].tokens[0] = -1; },
      [](EncodedDataset& d) { d.splits[Split::kTrain][0].second_tokens[1] = 12; },
      [](EncodedDataset& d) { d.splits[Split::kTrain][0].label = 3; },
      [](EncodedDataset& d) { d.splits[Split::kTrain][0].label = -1; },
      [](EncodedDataset& d) { d.splits[Split::kTrain][5].tokens.clear(); },
      [](EncodedDataset& d) { d.splits[Split::kTrain][5].second_tokens.clear(); },
      [](EncodedDataset& d) { d.splits[Split::kValidation].clear(); },
      [](EncodedDataset& d) { d.splits.erase(Split::kTest); },
      [](EncodedDataset& d) { d.splits.clear(); },
  };
  for (const Change change : changes) {
    EncodedDataset dataset = RandomDataset(1);
    change(dataset);
    EXPECT_EQ(TrainTiny(dataset).status().code(), absl::StatusCode::kInvalidArgument);
    const auto scores = Explain(TinySpec(), dataset, {Measure::kGradient}, Checkpoint(), nullptr);
    EXPECT_EQ(scores.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(RunJobTest, RefusesSettingsThatCannotTrain) {
  using Change = void (*)(TrainingSettings&);
  const Change changes[] = {
      [](TrainingSettings& s) { s.epochs = 0; },
      [](TrainingSettings& s) { s.batch_size = 0; },
      [](TrainingSettings& s) { s.hidden_size = -1; },
      [](TrainingSettings& s) { s.hidden_size = std::numeric_limits<std::int64_t>::max(); },
      [](TrainingSettings& s) { s.embedding_size = 0; },
      [](TrainingSettings& s) { s.learning_rate = 0; },
      [](TrainingSettings& s) { s.learning_rate = std::numeric_limits<double>::quiet_NaN(); },
      [](TrainingSettings& s) { s.learning_rate = std::numeric_limits<double>::infinity(); },
      [](TrainingSettings& s) { s.weight_decay = -1; },
  };
  for (const Change change : changes) {
    TrainSpec spec = TinySpec();
    change(spec.training);
    EXPECT_EQ(Train(spec, RandomDataset(1), Checkpoint(), nullptr).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(RunJobTest, AModelLargerThanTheMemoryIsResourceExhausted) {
  TrainSpec spec = TinySpec();
  spec.training.hidden_size = 1'000'000;
  EXPECT_EQ(Train(spec, RandomDataset(1), Checkpoint(), nullptr).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST_F(RunJobTest, RandomIsNotExplainedFromAModel) {
  ASSERT_TRUE(TrainTiny(RandomDataset(1)).ok());
  const auto scores = Explain(TinySpec(), RandomDataset(1), {Measure::kRandom}, Checkpoint(), nullptr);
  EXPECT_EQ(scores.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(RunJobTest, CancelsWhereTheCallbackSaysSo) {
  const auto cancel_in = [](Activity wanted) {
    return [wanted](Activity activity, double) { return activity != wanted; };
  };
  const EncodedDataset dataset = RandomDataset(1);
  for (const Activity activity : {Activity::kTraining, Activity::kEvaluating}) {
    const auto outcome = Train(TinySpec(), dataset, Checkpoint(), cancel_in(activity));
    EXPECT_EQ(outcome.status().code(), absl::StatusCode::kCancelled);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
  ASSERT_TRUE(TrainTiny(dataset).ok());
  for (const Activity activity : {Activity::kLoading, Activity::kExplaining}) {
    const auto scores = Explain(TinySpec(), dataset, {Measure::kAttention}, Checkpoint(), cancel_in(activity));
    EXPECT_EQ(scores.status().code(), absl::StatusCode::kCancelled);
  }
}

TEST_F(RunJobTest, ProgressRisesToOne) {
  double last = 0;
  const auto outcome = Train(TinySpec(), RandomDataset(1), Checkpoint(), [&](Activity, double progress) {
    EXPECT_GT(progress, last);
    last = progress;
    return true;
  });
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(last, 1.0);
}

TEST_F(RunJobTest, ADamagedCheckpointIsDataLoss) {
  const EncodedDataset dataset = RandomDataset(1);
  ASSERT_TRUE(TrainTiny(dataset).ok());
  const std::string good = BytesOf(Checkpoint());
  const auto explain = [&](const std::string& bytes) {
    WriteFile(Checkpoint("damaged"), bytes);
    return Explain(TinySpec(), dataset, {Measure::kAttention}, Checkpoint("damaged"), nullptr).status();
  };
  ASSERT_TRUE(explain(good).ok());
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{63}, good.size() / 2, good.size() - 1}) {
    EXPECT_EQ(explain(good.substr(0, size)).code(), absl::StatusCode::kDataLoss) << size;
  }
  for (std::size_t position = 0; position < good.size(); position += 97) {
    std::string flipped = good;
    flipped[position] ^= 1;
    EXPECT_EQ(explain(flipped).code(), absl::StatusCode::kDataLoss) << position;
  }
  EXPECT_EQ(explain(good + "x").code(), absl::StatusCode::kDataLoss);
}

TEST_F(RunJobTest, AMissingOrForeignCheckpointIsDataLoss) {
  const EncodedDataset dataset = RandomDataset(1);
  EXPECT_EQ(Explain(TinySpec(), dataset, {Measure::kAttention}, Checkpoint("missing"), nullptr).status().code(),
            absl::StatusCode::kDataLoss);
  ASSERT_TRUE(TrainTiny(dataset).ok());
  TrainSpec wider = TinySpec();
  wider.training.hidden_size += 1;
  EXPECT_EQ(Explain(wider, dataset, {Measure::kAttention}, Checkpoint(), nullptr).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(RunJobTest, AFolderThatIsNotThereIsAnErrorNamingThePath) {
  const auto outcome = Train(TinySpec(), RandomDataset(1), folder_ / "missing" / "checkpoint", nullptr);
  EXPECT_EQ(outcome.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(outcome.status().message()), HasSubstr("missing"));
}

TEST(Provenance, NamesDeviceAndLibraries) {
  // The instruction set of the project's kernels and the core that OpenBLAS chose its own for.
  EXPECT_THAT(DeviceKind(), ::testing::MatchesRegex("cpu-(portable|avx2|avx512)-[a-z0-9_]+"));
  EXPECT_THAT(SoftwareVersions(), HasSubstr("LibTorch 1."));
  EXPECT_THAT(SoftwareVersions(), HasSubstr("BLAS"));
}

}  // namespace
}  // namespace roar::ml
