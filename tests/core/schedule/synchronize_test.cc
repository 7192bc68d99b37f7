#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

TEST(Synchronize, AChainRunsLinkByLinkAndTheReplyCarriesTheNext) {
  Scenario s;
  s.Submit(1, "t0 -> e0 -> t1");
  EXPECT_EQ(s.Sync({}), "t0 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Desired("w1"), "t0#1 attempt 1");
  EXPECT_EQ(s.Sync({.running = {"t0"}}), "t0 running w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.running = {"t0"}}), "t0 renewed, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"t0"}}), "t0 accepted #1, t0 succeeded, e0 ready, e0 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"e0"}}), "e0 accepted #1, e0 succeeded, t1 ready, t1 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.running = {"t1"}}), "t1 running w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"t1"}}), "t1 accepted #1, t1 succeeded, w1 seen");
  EXPECT_EQ(s.Jobs(), "t0 succeeded, e0 succeeded, t1 succeeded");
}

TEST(Synchronize, WaitsForEveryInput) {
  Scenario s;
  s.Submit(1, "t0 -> e0 -> t1 -> e1");
  EXPECT_EQ(s.Job("e1").job.inputs, (std::vector<JobKey>{JobKey("t1"), JobKey("e0")}));
  s.Sync({});
  s.Sync({.done = {"t0"}});
  s.Sync({.done = {"e0"}});
  EXPECT_EQ(s.Jobs(), "t0 succeeded, e0 succeeded, t1 leased w1 #1, e1 pending");
  EXPECT_EQ(s.Sync({.done = {"t1"}}), "t1 accepted #1, t1 succeeded, e1 ready, e1 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"e1"}}), "e1 accepted #1, e1 succeeded, w1 seen");
}

TEST(Synchronize, LongestRemainingChainFirstThenPlanOrder) {
  Scenario s;
  s.Submit(1, "t7; t8; t0 -> e0 -> t1; t2 -> e2");
  EXPECT_EQ(s.Sync({.slots = 3}), "t0 leased w1 #1, t2 leased w1 #1, t7 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.slots = 3, .done = {"t0"}}),
            "t0 accepted #1, t0 succeeded, e0 ready, t2 renewed, t7 renewed, e0 leased w1 #1, w1 seen")
      << "a link of a chain goes before jobs that have waited longer";
}

TEST(Synchronize, ProgressReportedLaterIsKeptInMemoryOnly) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.Sync({.running = {"t0"}});
  s.At(7);
  Synchronize call = s.EventOf({.running = {"t0"}});
  call.running[0].phase = Phase::kUploading;
  call.running[0].progress = 0.75;
  EXPECT_EQ(s.Happen(call), "t0 renewed, w1 seen");
  const auto& running = std::get<Running>(s.Job("t0").state);
  EXPECT_EQ(running.phase, Phase::kUploading);
  EXPECT_EQ(running.progress, 0.75);
  EXPECT_EQ(running.lease.expires, absl::Seconds(67));
  EXPECT_EQ(s.Sync({}), "t0 renewed, w1 seen") << "a result too big for this call may be due: the lease goes on";
  EXPECT_EQ(std::get<Running>(s.Job("t0").state).progress, 0.75);
}

TEST(Synchronize, ALostReplyIsSaidAgain) {
  Scenario s;
  s.Submit(1, "t0; t1");
  s.Sync({});
  s.At(10);
  EXPECT_EQ(s.Sync({}), "t0 renewed, w1 seen") << "no second job for the same slot";
  EXPECT_EQ(s.Desired("w1"), "t0#1 attempt 1");
  EXPECT_EQ(LeaseOf(s.Job("t0").state)->expires, absl::Seconds(70));
}

TEST(Synchronize, ACompletionSentTwiceCountsOnce) {
  Scenario s;
  s.Submit(1, "t0 -> e0");
  s.Sync({});
  s.Sync({.done = {"t0"}});
  EXPECT_EQ(s.Sync({.done = {"t0"}}), "e0 renewed, w1 seen");
  s.Sync({.failed = {"e0 runner_crashed"}});
  s.At(1);
  EXPECT_EQ(s.Sync({.failed = {"e0#1 runner_crashed"}}), "e0 backed off, e0 leased w1 #2, w1 seen");
  EXPECT_EQ(s.Sync({.failed = {"e0#1 runner_crashed"}}), "e0 renewed, w1 seen");
  EXPECT_EQ(s.Job("e0").failures.at(FailureKind::kRunnerCrashed), 1);
}

TEST(Synchronize, ADrainingWorkerKeepsItsJobsAndGetsNoNewOnes) {
  Scenario s;
  s.Submit(1, "t0; t1");
  s.Sync({});
  EXPECT_EQ(s.Sync({.slots = 2, .running = {"t0"}, .draining = true}), "t0 running w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"t0"}, .draining = true}), "t0 accepted #1, t0 succeeded, w1 seen");
  EXPECT_EQ(s.Sync({}), "t1 leased w1 #1, w1 seen");
}

TEST(Synchronize, APreemptedJobGoesToAnotherWorker) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  EXPECT_EQ(s.Sync({.failed = {"t0 preempted"}, .draining = true}), "t0 ready at 1s, w1 seen");
  s.At(1);
  EXPECT_EQ(s.Sync({.worker = "w2"}), "t0 backed off, t0 leased w2 #2, w2 seen");
}

TEST(Synchronize, ANewIncarnationReturnsTheLeasesOfTheOld) {
  Scenario s;
  s.Submit(1, "t0; t1");
  s.Sync({.slots = 2});
  s.Sync({.slots = 2, .running = {"t0"}});
  EXPECT_EQ(s.Sync({.slots = 2, .incarnation = "b"}), "t0 ready, t1 ready, t0 leased w1 #2, t1 leased w1 #2, w1 seen");
  EXPECT_EQ(s.Desired("w1", "a"), "");
  EXPECT_EQ(s.Desired("w1", "b"), "t0#2 attempt 2, t1#2 attempt 2");
  EXPECT_FALSE(s.Job("t0").failures.contains(FailureKind::kRunnerCrashed));
}

TEST(Synchronize, AResultKeptOverARestartOfTheWorkerIsTaken) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  EXPECT_EQ(s.Sync({.done = {"t0#1"}, .incarnation = "b"}), "t0 ready, t0 accepted late #1, t0 succeeded, w1 seen");
}

TEST(Synchronize, FewerSlotsTakeBackWhatDoesNotRunFirst) {
  Scenario s;
  s.Submit(1, "t0; t1; t2");
  s.Sync({.slots = 3});
  s.Sync({.slots = 3, .running = {"t1"}});
  EXPECT_EQ(s.Sync({.slots = 1, .running = {"t1"}}), "t0 renewed, t1 renewed, t2 renewed, t2 ready, t0 ready, w1 seen");
  EXPECT_EQ(s.Desired("w1"), "t1#1 attempt 1");
  EXPECT_EQ(s.Sync({.slots = -1}), "t1 renewed, t1 ready, w1 seen");
}

TEST(Synchronize, UnknownJobsInAReportAreIgnored) {
  Scenario s;
  EXPECT_EQ(s.Sync({.running = {"t5"}, .done = {"t6"}, .failed = {"t7 deterministic"}}), "w1 seen");
  EXPECT_EQ(s.scheduler().workers().at("w1").slots, 1);
}

TEST(Synchronize, ARunningReportOfAnEarlierLeaseRenewsNothing) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.At(61);
  s.Tick();
  s.At(62);
  s.Sync({.worker = "w2"});
  EXPECT_EQ(s.Sync({.running = {"t0#1"}}), "w1 seen");
  EXPECT_EQ(s.Desired("w1"), "") << "so w1 stops it";
  EXPECT_EQ(s.Sync({.worker = "w2", .running = {"t0#1"}}), "t0 renewed, w2 seen") << "it is not #2 that runs";
  EXPECT_EQ(s.Jobs(), "t0 leased w2 #2");
}

}  // namespace
}  // namespace roar::schedule
