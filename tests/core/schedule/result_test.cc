#include <limits>

#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

// t0 is leased to w1 as #1, lost at 60 s, and leased to w2 as #2.
void LeaseTwice(Scenario& s) {
  s.Submit(1, "t0");
  s.Sync({});
  s.At(60);
  s.Tick();
  s.At(61);
  s.Sync({.worker = "w2"});
}

TEST(Result, OfAnEndedLeaseIsAcceptedLateWhenNobodyFinished) {
  Scenario s;
  LeaseTwice(s);
  EXPECT_EQ(s.Sync({.done = {"t0#1"}}), "t0 accepted late #1, t0 succeeded, w1 seen");
  EXPECT_EQ(s.Desired("w2"), "") << "the second run is stopped";
  EXPECT_EQ(s.Sync({.worker = "w2", .done = {"t0#2"}}), "t0 superseded #2 (the job is already succeeded), w2 seen");
}

TEST(Result, OfAnEndedLeaseIsAcceptedWhileTheJobIsReady) {
  Scenario s;
  s.Submit(1, "t0 -> e0");
  s.Sync({});
  s.At(60);
  s.Tick();
  EXPECT_EQ(s.Sync({.done = {"t0#1"}}), "t0 accepted late #1, t0 succeeded, e0 ready, e0 leased w1 #1, w1 seen");
}

TEST(Result, InTheCallThatFindsTheBackoffOver) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.At(60);
  s.Tick();
  s.At(70);
  EXPECT_EQ(s.Sync({.done = {"t0#1"}}), "t0 accepted late #1, t0 succeeded, w1 seen") << "and it is not leased again";
}

TEST(Result, OfAnEndedLeaseIsSupersededOnceAnotherFinished) {
  Scenario s;
  LeaseTwice(s);
  EXPECT_EQ(s.Sync({.worker = "w2", .done = {"t0"}}), "t0 accepted #2, t0 succeeded, w2 seen");
  EXPECT_EQ(s.Sync({.done = {"t0#1"}}), "t0 superseded #1 (the job is already succeeded), w1 seen");
  EXPECT_EQ(s.Sync({.worker = "w2", .done = {"t0#2"}}), "w2 seen") << "the accepted one, said again";
}

TEST(Result, OfALeaseNeverGrantedOrOfAnotherWorkerIsSuperseded) {
  Scenario s;
  s.Submit(1, "t0");
  EXPECT_EQ(s.Sync({.slots = 0, .done = {"t0#1"}}), "t0 superseded #1 (lease 1 was never granted), w1 seen");
  s.Sync({});
  EXPECT_EQ(s.Sync({.done = {"t0#2"}}), "t0 superseded #2 (lease 2 was never granted), t0 renewed, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"t0#0"}}), "t0 superseded #0 (lease 0 was never granted), t0 renewed, w1 seen");
  EXPECT_EQ(s.Sync({.worker = "w2", .done = {"t0#1"}}), "t0 superseded #1 (lease 1 belongs to worker w1), w2 seen");
}

TEST(Result, OfAFailedJobIsNotTaken) {
  Scenario s({.deterministic_attempts_most = 1});
  LeaseTwice(s);
  s.Sync({.worker = "w2", .failed = {"t0 deterministic"}});
  EXPECT_EQ(s.Sync({.done = {"t0#1"}}), "t0 superseded #1 (the job is already failed), w1 seen");
}

// The case "double run": a lease of 5 s, a job of 30 s, its worker stopped for 12 s; another picks the job up and both
// finish. A second job's worker goes on calling and never renews past its life.
TEST(Result, DoubleRunHasOneAcceptedAndOneSuperseded) {
  Scenario s({.lease_ttl = absl::Seconds(5)});
  s.Submit(1, "t0");
  s.Sync({.worker = "stopped"});
  for (double t : {1.0, 3.0}) {
    s.At(t);
    s.Sync({.worker = "stopped", .running = {"t0"}});
  }
  s.At(8);
  EXPECT_EQ(s.Tick(), "t0 ready at 9s, stopped forgotten");
  s.At(9);
  EXPECT_EQ(s.Sync({.worker = "other"}), "t0 backed off, t0 leased other #2, other seen");
  s.At(13);
  EXPECT_EQ(s.Sync({.worker = "other", .running = {"t0"}}), "t0 running other #2, other seen");
  s.At(15);
  EXPECT_EQ(s.Sync({.worker = "stopped", .running = {"t0#1"}}), "stopped seen");
  EXPECT_EQ(s.Desired("stopped"), "");
  s.At(16);
  EXPECT_EQ(s.Sync({.worker = "other", .done = {"t0"}}), "t0 accepted #2, t0 succeeded, other seen");
  s.At(33);
  EXPECT_EQ(s.Sync({.worker = "stopped", .done = {"t0#1"}}),
            "t0 superseded #1 (the job is already succeeded), stopped seen");
}

TEST(Result, RenewalsOutlastTheLease) {
  Scenario s({.lease_ttl = absl::Seconds(5)});
  s.Submit(1, "t0");
  s.Sync({});
  for (int t = 1; t <= 30; ++t) {
    s.At(t);
    s.Sync({.running = {"t0"}});
    EXPECT_EQ(s.Tick(), "");
  }
  EXPECT_EQ(s.Sync({.done = {"t0"}}), "t0 accepted #1, t0 succeeded, w1 seen");
}

struct WrongResult {
  std::string name;
  void (*spoil)(JobResult&);
  std::string reason;
};

class WrongResultTest : public testing::TestWithParam<WrongResult> {};

// e1 reads the data set, its model t1's checkpoint, and the ranking by e0 that t1's data was masked with.
TEST_P(WrongResultTest, IsSupersededAndTheJobRunsAgain) {
  Scenario s;
  s.Submit(1, "t0 -> e0 -> t1 -> e1");
  for (const char* job : {"t0", "e0", "t1"}) {
    s.Sync({});
    s.Sync({.done = {job}});
  }
  FinishedReport report = s.Done("e1");
  GetParam().spoil(std::get<JobResult>(report.outcome));
  Synchronize call = s.EventOf({});
  call.finished = {report};
  EXPECT_EQ(s.Happen(call), "e1 superseded #1 (" + GetParam().reason + "), e1 ready at 1s, w1 seen");
  s.At(1);
  EXPECT_EQ(s.Sync({}), "e1 backed off, e1 leased w1 #2, w1 seen");
  call.finished[0].epoch = 1;
  EXPECT_EQ(s.Happen(call), "e1 superseded #1 (" + GetParam().reason + "), e1 renewed, w1 seen")
      << "the wrong result of an ended lease does not disturb the present one";
  EXPECT_EQ(s.Sync({.done = {"e1"}}), "e1 accepted #2, e1 succeeded, w1 seen");
}

const char kRight[] = "checkpoint out(t1), dataset data, ranking out(e0)";
INSTANTIATE_TEST_SUITE_P(
    All, WrongResultTest,
    testing::Values(
        WrongResult{"OtherData", [](JobResult& r) { r.inputs[0].sha256 = "x"; },
                    std::string("it read checkpoint out(t1), dataset x, ranking out(e0) in place of ") + kRight},
        WrongResult{"OtherCheckpoint", [](JobResult& r) { r.inputs[1].sha256 = "out(t0)"; },
                    std::string("it read checkpoint out(t0), dataset data, ranking out(e0) in place of ") + kRight},
        WrongResult{"NoRanking", [](JobResult& r) { r.inputs.pop_back(); },
                    std::string("it read checkpoint out(t1), dataset data in place of ") + kRight},
        WrongResult{"Nothing", [](JobResult& r) { r.inputs.clear(); },
                    std::string("it read nothing in place of ") + kRight},
        WrongResult{"NoOutput", [](JobResult& r) { r.outcome = ExplainResult{}; }, "the result names no output"},
        WrongResult{"OtherKind", [](JobResult& r) { r.outcome = TrainResult{.checkpoint_sha256 = "x"}; },
                    "the result is of another kind of job"}),
    [](const auto& info) { return info.param.name; });

class IncompleteResultTest : public testing::TestWithParam<WrongResult> {};

// It could be shown in no curve, and in no bundle. The job is tried again, but not for ever.
TEST_P(IncompleteResultTest, IsAFailureOfTheJob) {
  Scenario s({.deterministic_attempts_most = 2});
  s.Submit(1, "t0 -> e0");
  s.Sync({});
  FinishedReport report = s.Done("t0");
  GetParam().spoil(std::get<JobResult>(report.outcome));
  Synchronize call = s.EventOf({});
  call.finished = {report};
  EXPECT_EQ(s.Happen(call), "t0 superseded #1 (" + GetParam().reason + "), t0 ready at 1s, w1 seen");
  s.At(1);
  EXPECT_EQ(s.Sync({}), "t0 backed off, t0 leased w1 #2, w1 seen");
  call.finished[0].epoch = 2;
  EXPECT_EQ(s.Happen(call), "t0 superseded #2 (" + GetParam().reason + "), t0 failed, e0 aborted by t0, w1 seen");
  EXPECT_EQ(std::get<Failed>(s.Job("t0").state).kind, FailureKind::kDeterministic);
  EXPECT_EQ(std::get<Failed>(s.Job("t0").state).reason, GetParam().reason);
}

TrainResult& TrainingOf(JobResult& result) { return std::get<TrainResult>(result.outcome); }
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const char kOutOfRange[] = "its loss on test is not finite, or a metric no fraction";
INSTANTIATE_TEST_SUITE_P(
    All, IncompleteResultTest,
    testing::Values(
        WrongResult{"NoEpoch", [](JobResult& r) { TrainingOf(r).best_epoch = 0; },
                    "its best epoch is none that was run"},
        WrongResult{"NoMetrics", [](JobResult& r) { TrainingOf(r).metrics.clear(); },
                    "it has no metrics of the test split"},
        WrongResult{"NoExamples", [](JobResult& r) { TrainingOf(r).metrics[Split::kTest].examples = 0; },
                    "it has no metrics of the test split"},
        WrongResult{"LossIsNan", [](JobResult& r) { TrainingOf(r).metrics[Split::kTest].loss = kNan; }, kOutOfRange},
        WrongResult{"AurocIsNan", [](JobResult& r) { TrainingOf(r).metrics[Split::kTest].auroc = kNan; }, kOutOfRange},
        WrongResult{"AccuracyInPercent", [](JobResult& r) { TrainingOf(r).metrics[Split::kTest].accuracy = 93; },
                    kOutOfRange}),
    [](const auto& info) { return info.param.name; });

TEST(Result, MasksThatMaskNothingOrAllReadNoRanking) {
  for (const std::int64_t amount : {0, 10, 100}) {
    Scenario s;
    SubmitSweep sweep{1, Graph("t0 -> e0 -> t1")};
    std::get<RankedMask>(std::get<TrainSpec>(sweep.jobs[2].spec).mask).amount = amount;
    s.Happen(sweep);
    s.Sync({});
    s.Sync({.done = {"t0"}});
    s.Sync({.done = {"e0"}});
    Synchronize call = s.EventOf({.done = {"t1"}});
    if (amount != 10) std::get<JobResult>(call.finished[0].outcome).inputs.pop_back();
    EXPECT_EQ(s.Happen(call), "t1 accepted #1, t1 succeeded, w1 seen") << amount;
  }
}

}  // namespace
}  // namespace roar::schedule
