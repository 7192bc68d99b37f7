// Small jobs whose outcome is frozen. When this fails, results have moved for specs that already have keys: bump the
// version of the job's kind in core/experiment/job_key.cc in the same commit, and put the new values here.
// Metrics hold on every kind of device within the tolerance; the values were made with LibTorch 1.13 on AVX2.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ml/fresh_session.h"
#include "tests/ml/tiny_data.h"
#include "tests/support/temporary_folder.h"

namespace roar::ml {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

struct Frozen {
  EncodedDataset dataset;
  TrainSpec spec;
  std::int64_t best_epoch;
  double train_loss, test_loss, test_accuracy;
  // Of the first text of the test split.
  std::vector<std::pair<ExplainSettings, std::vector<float>>> scores;
};

void CheckHasNotMoved(const Frozen& frozen) {
  const TemporaryFolder folder;
  const std::filesystem::path checkpoint = folder.path() / "checkpoint";
  const auto outcome = Train(frozen.spec, frozen.dataset, checkpoint, nullptr);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->best_epoch, frozen.best_epoch);
  EXPECT_NEAR(outcome->metrics.at(Split::kTrain).loss, frozen.train_loss, 1e-4);
  EXPECT_NEAR(outcome->metrics.at(Split::kTest).loss, frozen.test_loss, 1e-4);
  EXPECT_NEAR(outcome->metrics.at(Split::kTest).accuracy, frozen.test_accuracy, 1e-9);
  for (const auto& [settings, expected] : frozen.scores) {
    const auto scores = Explain(frozen.spec, frozen.dataset, {settings}, checkpoint, nullptr);
    ASSERT_TRUE(scores.ok()) << scores.status();
    EXPECT_THAT(scores->at(Split::kTest)[0], Pointwise(FloatNear(1e-5), expected)) << Name(settings.measure);
  }
}

constexpr ExplainSettings kIntegrated = {Measure::kIntegratedGradient};
constexpr ExplainSettings kTextbook = {Measure::kIntegratedGradient, IntegratedGradientVariant::kTextbook};

TEST(GoldenJob, OfPairsHasNotMoved) {
  CheckHasNotMoved(
      {LearnableDataset(),
       TinySpec(5),
       3,
       1.06803,
       1.08608,
       0.5,
       {{{Measure::kAttention}, {0.f, .216234f, .296854f, .250467f, .236445f, 0.f}},
        {{Measure::kGradient}, {.0258076f, .100095f, .0679742f, .0512302f, .0366453f, .0144043f}},
        {{Measure::kInputTimesGradient}, {.0111606f, .00511953f, .036507f, .000787119f, .00362224f, .00678269f}},
        {kIntegrated, {.00801227f, .00214106f, .0246333f, .00064614f, .00172961f, .00508201f}},
        {kTextbook, {.0176316f, .00368543f, .0520479f, .00196463f, .00271373f, .0112989f}}}});
}

TEST(GoldenJob, OfSinglesThatStartFromZerosHasNotMoved) {
  EncodedDataset dataset = LearnableDataset();
  for (auto& [split, examples] : dataset.splits) {
    for (EncodedExample& example : examples) example.second_tokens.clear();
  }
  TrainSpec spec = TinySpec(5);
  spec.training.embeddings = Embeddings::kZeros;
  spec.training.checkpoint_metric = Metric::kAuroc;
  CheckHasNotMoved(
      {std::move(dataset),
       spec,
       3,
       1.07539,
       1.10314,
       1.0 / 3,
       {{{Measure::kAttention}, {0.f, .252159f, .253486f, .247947f, .246407f, 0.f}},
        {{Measure::kGradient}, {.0100021f, .0336564f, .036771f, .0361628f, .0310884f, .00731429f}},
        {{Measure::kInputTimesGradient}, {.00148867f, .00801244f, .0205945f, .000881421f, .00074957f, .000500329f}},
        {kIntegrated, {.000752424f, .00415279f, .0106817f, .000453569f, .000382677f, .000255539f}},
        {kTextbook, {.00146853f, .00819668f, .0210119f, .000893881f, .000750832f, .000501195f}}}});
}

}  // namespace
}  // namespace roar::ml
