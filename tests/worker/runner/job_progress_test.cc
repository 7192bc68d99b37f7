#include "worker/runner/job_progress.h"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

namespace roar::runner {
namespace {

using schedule::Phase;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pair;

class JobProgressTest : public testing::Test {
 protected:
  absl::Duration now_ = absl::Seconds(50);
  bool listening_ = true;
  std::vector<std::pair<std::string, double>> reports_;
  JobProgress progress_{[this](const v1::RunnerMessage::Progress& report) {
                          reports_.emplace_back(report.phase(), report.progress());
                          return listening_;
                        },
                        [this] { return now_; }};
};

TEST_F(JobProgressTest, TheFirstOfAPhaseIsSentAtOnceAndThenFourASecond) {
  progress_.Report(Phase::kStaging, 0);
  progress_.Report(Phase::kTraining, 0.1);
  for (int i = 0; i < 100; ++i) {
    now_ += absl::Milliseconds(10);
    progress_.Report(Phase::kTraining, 0.2);
  }
  EXPECT_THAT(reports_, ElementsAre(Pair("staging", 0), Pair("training", 0.1), Pair("training", 0.2),
                                    Pair("training", 0.2), Pair("training", 0.2), Pair("training", 0.2)));
}

TEST_F(JobProgressTest, TimeIsSummedUpByThePhaseItWasSpentIn) {
  for (int epoch = 0; epoch < 3; ++epoch) {
    now_ += absl::Seconds(4);
    progress_.Report(Phase::kTraining, 0);
    now_ += absl::Milliseconds(50);
    progress_.Report(Phase::kEvaluating, 0);
  }
  EXPECT_THAT(progress_.SecondsByPhase(),
              ElementsAre(Pair("evaluating", DoubleNear(0.15, 1e-9)), Pair("training", DoubleNear(12, 1e-9))));
}

TEST_F(JobProgressTest, WhatThePhasesSharedWithTheAgentTakeHereHasNamesOfItsOwn) {
  now_ += absl::Seconds(1);
  progress_.Report(Phase::kStaging, 0);
  now_ += absl::Seconds(2);
  progress_.Report(Phase::kUploading, 1);
  EXPECT_THAT(progress_.SecondsByPhase(),
              ElementsAre(Pair("decoding", DoubleNear(1, 1e-9)), Pair("writing", DoubleNear(2, 1e-9))));
  EXPECT_THAT(reports_, ElementsAre(Pair("staging", 0), Pair("uploading", 1)));
}

TEST_F(JobProgressTest, WhenNobodyListensTheJobMayEnd) {
  EXPECT_TRUE(progress_.Report(Phase::kStaging, 0));
  listening_ = false;
  EXPECT_FALSE(progress_.Report(Phase::kTraining, 0));
  listening_ = true;
  EXPECT_FALSE(progress_.Report(Phase::kEvaluating, 0)) << "a peer that is gone does not come back";
}

}  // namespace
}  // namespace roar::runner
