#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

TEST(Sweep, SubmitAddsJobsInPlanOrderAndOnlyRootsAreReady) {
  Scenario s;
  EXPECT_EQ(s.Submit(1, "t0 -> e0 -> t1; t9"), "new t0 ready, new e0 pending, new t1 pending, new t9 ready, sweep 1");
  EXPECT_EQ(s.Job("t0").longest_chain, 3);
  EXPECT_EQ(s.Job("t9").longest_chain, 1);
}

TEST(Sweep, AGraphOutOfOrderIsRefused) {
  Scenario s;
  SubmitSweep missing{1, Graph("t0 -> e0")};
  missing.jobs.erase(missing.jobs.begin());
  EXPECT_EQ(s.Happen(missing), "INVALID_ARGUMENT");
  SubmitSweep later{1, Graph("t0 -> e0")};
  std::swap(later.jobs[0], later.jobs[1]);
  EXPECT_EQ(s.Happen(later), "INVALID_ARGUMENT");
  SubmitSweep twice{1, Graph("t0")};
  twice.jobs.push_back(twice.jobs[0]);
  EXPECT_EQ(s.Happen(twice), "INVALID_ARGUMENT");
  EXPECT_EQ(s.Jobs(), "");
  s.Submit(1, "t0");
  EXPECT_EQ(s.Happen(SubmitSweep{2, missing.jobs}), "INVALID_ARGUMENT") << "an input must be of the same sweep";
}

TEST(Sweep, UnknownSweepsAreNotFound) {
  Scenario s;
  EXPECT_EQ(s.Cancel(7), "NOT_FOUND");
  EXPECT_EQ(s.Retry(7), "NOT_FOUND");
}

TEST(Sweep, KnownJobsAreSharedAndSucceededOnesAreCached) {
  Scenario s;
  s.Submit(1, "t0 -> e0");
  s.Sync({});
  s.Sync({.done = {"t0"}});
  EXPECT_EQ(s.Submit(2, "t0 -> e0; t0 -> e1"), "new e1 ready, sweep 2");
  const auto& members = s.scheduler().sweeps().at(2);
  ASSERT_EQ(members.size(), 3u);
  EXPECT_TRUE(members[0].cached);
  EXPECT_FALSE(members[1].cached);
  EXPECT_FALSE(members[2].cached);
  EXPECT_EQ(s.Job("e0").sweeps, (std::set<std::int64_t>{1, 2}));
}

TEST(Sweep, ALongerPlanRaisesThePriorityOfSharedJobs) {
  Scenario s;
  s.Submit(1, "t0; t1");
  s.Submit(2, "t1 -> e1 -> t2");
  EXPECT_EQ(s.Job("t1").longest_chain, 3);
  EXPECT_EQ(s.Sync({}), "t1 leased w1 #1, w1 seen");
}

TEST(Sweep, CancelStopsWhatNobodyElseNeeds) {
  Scenario s;
  s.Submit(1, "t0 -> e0; t8; t9");
  s.Sync({.slots = 2});
  s.Sync({.slots = 2, .running = {"t0"}});
  EXPECT_EQ(s.Jobs(), "t0 running w1 #1, e0 pending, t8 leased w1 #1, t9 ready");
  EXPECT_EQ(s.Cancel(1), "sweep 1 canceled, t0 canceled, e0 canceled, t8 canceled, t9 canceled");
  EXPECT_EQ(s.Desired("w1"), "") << "the worker learns that it must stop";
  EXPECT_EQ(s.Cancel(1), "") << "a second time changes nothing";
  EXPECT_EQ(s.Sync({.slots = 2, .running = {"t0", "t8"}}), "w1 seen");
}

TEST(Sweep, CancelKeepsSharedJobsUntilTheLastSweepIsCanceled) {
  Scenario s;
  s.Submit(1, "t0 -> e0");
  s.Submit(2, "t0 -> e1");
  EXPECT_EQ(s.Cancel(1), "sweep 1 canceled, e0 canceled");
  EXPECT_EQ(s.Cancel(2), "sweep 2 canceled, t0 canceled, e1 canceled");
  EXPECT_EQ(s.Retry(2), "sweep 2 wanted, t0 ready, e1 pending");
  EXPECT_EQ(s.Cancel(2), "sweep 2 canceled, t0 canceled, e1 canceled") << "sweep 1 keeps nothing alive";
}

TEST(Sweep, CancelLeavesResultsAlone) {
  Scenario s;
  s.Submit(1, "t0 -> e0");
  s.Sync({});
  s.Sync({.done = {"t0"}, .draining = true});
  EXPECT_EQ(s.Cancel(1), "sweep 1 canceled, e0 canceled");
  EXPECT_EQ(s.Retry(1), "sweep 1 wanted, e0 ready");
}

TEST(Sweep, AResultOfACanceledJobIsNotTaken) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.Cancel(1);
  EXPECT_EQ(s.Sync({.done = {"t0"}}), "t0 superseded #1 (the job is already canceled), w1 seen");
}

TEST(Sweep, AskingAgainPlansFailedAbortedAndCanceledJobsAnew) {
  for (const bool resubmit : {false, true}) {
    Scenario s({.deterministic_attempts_most = 1});
    s.Submit(1, "t0 -> e0 -> t1; t9");
    s.Sync({.slots = 2});
    s.Sync({.slots = 2, .done = {"t9"}, .failed = {"t0 deterministic"}});
    EXPECT_EQ(s.Jobs(), "t0 failed, e0 aborted by t0, t1 aborted by t0, t9 succeeded");
    const std::string again = resubmit ? s.Submit(1, "t0 -> e0 -> t1; t9") : s.Retry(1);
    EXPECT_EQ(again, "t0 ready, e0 pending, t1 pending");
    EXPECT_TRUE(s.Job("t0").failures.empty());
    EXPECT_EQ(s.Sync({}), "t0 leased w1 #2, w1 seen") << "epochs go on, failures do not";
    EXPECT_EQ(s.Desired("w1"), "t0#2 attempt 1");
    EXPECT_EQ(s.Retry(1), "") << "what is under way goes on";
  }
}

TEST(Sweep, AnotherSweepAsksAgainForWhatItShares) {
  Scenario s({.deterministic_attempts_most = 1});
  s.Submit(1, "t0 -> e0 -> t1");
  s.Sync({});
  s.Sync({.failed = {"t0 deterministic"}});
  EXPECT_EQ(s.Submit(2, "t0 -> e0"), "t0 ready, e0 pending, sweep 2");
  EXPECT_EQ(s.Jobs(), "t0 ready, e0 pending, t1 aborted by t0");
  EXPECT_EQ(s.Retry(1), "t1 pending");
}

TEST(Sweep, SubmittingAKnownIdAgainWhenCanceledWantsItAgain) {
  Scenario s;
  s.Submit(1, "t0");
  s.Cancel(1);
  EXPECT_TRUE(s.scheduler().IsCanceled(1));
  EXPECT_EQ(s.Submit(1, "t0"), "sweep 1 wanted, t0 ready");
  EXPECT_FALSE(s.scheduler().IsCanceled(1));
}

}  // namespace
}  // namespace roar::schedule
