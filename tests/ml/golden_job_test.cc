// A small job whose outcome is frozen. When this fails, results have moved for specs that already have keys: bump the
// version of the job's kind in core/experiment/job_key.cc in the same commit, and put the new values here.
// Metrics hold on every kind of device within the tolerance; the values were made with LibTorch 1.13 on AVX2.

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ml/fresh_session.h"
#include "tests/ml/tiny_data.h"
#include "tests/support/temporary_folder.h"

namespace roar::ml {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

TEST(GoldenJob, OutcomeOfTrainingAndExplainingHasNotMoved) {
  const TemporaryFolder folder;
  const std::filesystem::path checkpoint = folder.path() / "checkpoint";
  const EncodedDataset dataset = LearnableDataset();
  const auto outcome = Train(TinySpec(5), dataset, checkpoint, nullptr);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->best_epoch, 3);
  EXPECT_NEAR(outcome->metrics.at(Split::kTrain).loss, 1.06803, 1e-4);
  EXPECT_NEAR(outcome->metrics.at(Split::kTest).loss, 1.08608, 1e-4);
  EXPECT_NEAR(outcome->metrics.at(Split::kTest).accuracy, 0.5, 1e-9);

  const auto attention = Explain(TinySpec(5), dataset, {Measure::kAttention}, checkpoint, nullptr);
  ASSERT_TRUE(attention.ok()) << attention.status();
  EXPECT_THAT(attention->at(Split::kTest)[0],
              Pointwise(FloatNear(1e-4), {0.f, .216234f, .296854f, .250467f, .236445f, 0.f}));
  const auto gradient = Explain(TinySpec(5), dataset, {Measure::kGradient}, checkpoint, nullptr);
  ASSERT_TRUE(gradient.ok()) << gradient.status();
  EXPECT_THAT(gradient->at(Split::kTest)[0],
              Pointwise(FloatNear(1e-4), {.0258076f, .100095f, .0679742f, .0512302f, .0366453f, .0144043f}));
}

}  // namespace
}  // namespace roar::ml
