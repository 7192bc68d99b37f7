#include "core/experiment/job_result.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roar {
namespace {

TEST(SplitMetrics, GivesEachMetricItsOwnValue) {
  const SplitMetrics metrics{
      .examples = 10, .loss = 0.4, .accuracy = 0.1, .macro_f1 = 0.2, .micro_f1 = 0.3, .auroc = 0.6};
  EXPECT_EQ(Value(metrics, Metric::kAccuracy), 0.1);
  EXPECT_EQ(Value(metrics, Metric::kMacroF1), 0.2);
  EXPECT_EQ(Value(metrics, Metric::kMicroF1), 0.3);
  EXPECT_EQ(Value(metrics, Metric::kAuroc), 0.6);
  EXPECT_TRUE(std::isnan(Value(SplitMetrics{}, Metric::kAuroc)));
}

TEST(JobResult, NamesTheArtifactThatOtherJobsRead) {
  EXPECT_EQ(OutputSha256({.outcome = TrainResult{.checkpoint_sha256 = "checkpoint"}}), "checkpoint");
  EXPECT_EQ(OutputSha256({.outcome = ExplainResult{.ranking_sha256 = "ranking"}}), "ranking");
}

}  // namespace
}  // namespace roar
