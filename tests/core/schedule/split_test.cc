#include "core/sweep/plan.h"
#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

// A call that trains t0 and ends it, in one slot of w1.
void TrainFirst(Scenario& s) {
  s.Sync({});
  s.Sync({.slots = 0, .done = {"t0"}});
}

// All calls of w1 that do what it holds, until nothing is left.
void WorkToTheEnd(Scenario& s, int slots) {
  for (int i = 0; i < 100; ++i) {
    Call call{.slots = slots};
    for (const DesiredJob& job : s.scheduler().DesiredJobs("w1", "a")) call.done.push_back(NameOf(job.key));
    s.Sync(call);
  }
}

TEST(Split, AnExplanationTakesEveryIdleSlotAndIsThenMerged) {
  Scenario s;
  s.Submit(1, "t0 -> i0 -> t1");
  TrainFirst(s);
  EXPECT_EQ(s.Sync({.slots = 2}),
            "new i0/1of2 ready, new i0/2of2 ready, i0 split in 2, i0 pending, i0/1of2 leased w1 #1, "
            "i0/2of2 leased w1 #1, w1 seen");
  EXPECT_EQ(s.scheduler().WhyWaiting(JobKey("i0"), s.now()).jobs,
            (std::vector<JobKey>{KeyNamed("i0/1of2"), KeyNamed("i0/2of2")}));
  EXPECT_EQ(s.Sync({.slots = 2, .running = {"i0/2of2"}, .done = {"i0/1of2"}}),
            "i0/1of2 accepted #1, i0/1of2 succeeded, i0/2of2 running w1 #1, w1 seen")
      << "one shard is missing";
  EXPECT_EQ(s.Sync({.slots = 2, .done = {"i0/2of2"}}),
            "i0/2of2 accepted #1, i0/2of2 succeeded, i0 ready, i0 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.slots = 2, .done = {"i0"}}), "i0 accepted #1, i0 succeeded, t1 ready, t1 leased w1 #1, w1 seen");
}

TEST(Split, AMergedResultListsTheInputsOfTheWholeAndAShardsMustBeTheMerged) {
  Scenario s;
  s.Submit(1, "t0 -> i0");
  TrainFirst(s);
  s.Sync({.slots = 2});
  s.Sync({.slots = 2, .done = {"i0/1of2", "i0/2of2"}});
  FinishedReport report = s.Done("i0");
  std::get<JobResult>(report.outcome).inputs[1] = {"shard", "another"};
  Synchronize call = s.EventOf({.slots = 2});
  call.finished = {report};
  EXPECT_NE(s.Happen(call).find("i0 superseded #1 (it read shard another"), std::string::npos);
  s.At(10);
  s.Sync({.slots = 2});
  const auto changes = s.scheduler().Decide(s.EventOf({.slots = 2, .done = {"i0"}}), s.now());
  ASSERT_TRUE(changes.ok());
  const auto& accepted = std::get<AcceptResult>(changes->front());
  EXPECT_EQ(accepted.result.inputs, (std::vector<InputHash>{{"checkpoint", "out(t0)"}, {"dataset", "data"}}));
}

struct SlotsRow {
  std::string name;
  std::string graph;
  int slots = 0;
  // Of the first call after t0.
  std::string leased;
};

class SlotsTest : public testing::TestWithParam<SlotsRow> {};

TEST_P(SlotsTest, AreFilled) {
  Scenario s;
  s.Submit(1, GetParam().graph);
  TrainFirst(s);
  s.Sync({.slots = GetParam().slots});
  std::string leased;
  for (const DesiredJob& job : s.scheduler().DesiredJobs("w1", "a")) leased += NameOf(job.key) + " ";
  std::vector<std::string> sorted;
  std::istringstream words(leased);
  for (std::string word; words >> word;) sorted.push_back(word);
  std::ranges::sort(sorted);
  leased.clear();
  for (const std::string& word : sorted) leased += (leased.empty() ? "" : " ") + word;
  EXPECT_EQ(leased, GetParam().leased);
}

INSTANTIATE_TEST_SUITE_P(
    All, SlotsTest,
    testing::Values(SlotsRow{"OneSlotTakesTheWhole", "t0 -> i0", 1, "i0"},
                    SlotsRow{"AMeasureThatIsFastStaysWhole", "t0 -> e0", 4, "e0"},
                    SlotsRow{"NotMoreThanEight", "t0 -> i0", 20,
                             "i0/1of8 i0/2of8 i0/3of8 i0/4of8 i0/5of8 i0/6of8 i0/7of8 i0/8of8"},
                    SlotsRow{"OtherJobsHaveTheirs", "t0 -> i0; t5; t6", 4, "i0/1of2 i0/2of2 t5 t6"},
                    SlotsRow{"NoneIsIdle", "t0 -> i0; t5; t6", 3, "i0 t5 t6"},
                    SlotsRow{"TwoShareEvenly", "t0 -> i0; t0 -> i1", 4, "i0/1of2 i0/2of2 i1/1of2 i1/2of2"},
                    SlotsRow{"TheOddSlotIsTheLasts", "t0 -> i0; t0 -> i1", 3, "i0 i1/1of2 i1/2of2"}),
    [](const auto& info) { return info.param.name; });

TEST(Split, CountsTheIdleSlotsOfAllWorkersThatTakeJobs) {
  Scenario s;
  s.Submit(1, "t0 -> i0");
  s.Sync({});
  s.Sync({.worker = "w2", .slots = 2});
  s.Sync({.worker = "w3", .slots = 5, .draining = true});
  EXPECT_EQ(s.Sync({.done = {"t0"}}),
            "t0 accepted #1, t0 succeeded, i0 ready, new i0/1of3 ready, new i0/2of3 ready, new i0/3of3 ready, "
            "i0 split in 3, i0 pending, i0/1of3 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.worker = "w2", .slots = 2}), "i0/2of3 leased w2 #1, i0/3of3 leased w2 #1, w2 seen");
}

TEST(Split, WhatWasLeasedBeforeStaysWholeAsItsResultMayStillCome) {
  Scenario s;
  s.Submit(1, "t0 -> i0");
  TrainFirst(s);
  s.Sync({.slots = 1});
  s.Sync({.slots = 0, .failed = {"i0 preempted"}});
  s.At(100);
  EXPECT_EQ(s.Sync({.slots = 4}), "i0 backed off, i0 leased w1 #2, w1 seen");
  EXPECT_EQ(s.Sync({.worker = "w2", .slots = 4}), "w2 seen") << "a leased job is not split";
}

TEST(Split, AShardIsRetriedAloneAndItsFailureForGoodIsThatOfTheWhole) {
  Scenario s({.deterministic_attempts_most = 2});
  s.Submit(1, "t0 -> i0 -> t1");
  TrainFirst(s);
  s.Sync({.slots = 3});
  EXPECT_EQ(s.Sync({.slots = 2, .done = {"i0/1of3"}, .failed = {"i0/2of3 deterministic"}}),
            "i0/1of3 accepted #1, i0/1of3 succeeded, i0/2of3 ready at 1s, i0/3of3 renewed, w1 seen");
  s.At(2);
  s.Sync({.slots = 2});
  EXPECT_EQ(s.Sync({.slots = 2, .failed = {"i0/2of3 deterministic"}}),
            "i0/2of3 failed, i0 failed, i0/3of3 canceled, t1 aborted by i0, w1 seen");
  EXPECT_EQ(std::get<Failed>(s.Job("i0").state).reason, "because");
  EXPECT_EQ(s.Desired("w1"), "");
  EXPECT_EQ(s.Retry(1), "i0/2of3 ready, i0/3of3 ready, i0 pending, t1 pending") << "what succeeded is kept";
  WorkToTheEnd(s, 2);
  EXPECT_EQ(s.Jobs(),
            "t0 succeeded, i0 succeeded, t1 succeeded, i0/1of3 succeeded, i0/2of3 succeeded, i0/3of3 succeeded");
}

TEST(Split, ShardsAreNeededByTheSweepsOfTheWhole) {
  Scenario s;
  s.Submit(1, "t0 -> i0");
  s.Submit(2, "t0 -> i0");
  TrainFirst(s);
  s.Sync({.slots = 2});
  EXPECT_EQ(s.Cancel(1), "sweep 1 canceled");
  EXPECT_EQ(s.Cancel(2), "sweep 2 canceled, i0 canceled, i0/1of2 canceled, i0/2of2 canceled");
  EXPECT_EQ(s.Sync({.slots = 0, .done = {"i0/1of2"}}), "i0/1of2 superseded #1 (the job is already canceled), w1 seen");
  EXPECT_EQ(s.Submit(2, "t0 -> i0"), "sweep 2 wanted, i0/1of2 ready, i0/2of2 ready, i0 pending");
  WorkToTheEnd(s, 1);
  EXPECT_EQ(s.Jobs(), "t0 succeeded, i0 succeeded, i0/1of2 succeeded, i0/2of2 succeeded");
}

TEST(Split, AnImportedResultOfTheWholeEndsTheShards) {
  Scenario s;
  s.Submit(1, "t0 -> i0 -> t1");
  TrainFirst(s);
  s.Sync({.slots = 2});
  s.Sync({.slots = 2, .done = {"i0/1of2"}});
  const PlannedJob whole = s.Job("i0").job;
  EXPECT_EQ(s.Happen(ImportResult{whole.key, whole.spec, CorrectResult(whole)}),
            "i0 accepted #0, i0 succeeded, i0/2of2 canceled, t1 ready");
}

TEST(Split, NoShardIsImported) {
  Scenario s;
  s.Submit(1, "t0 -> i0");
  TrainFirst(s);
  s.Sync({.slots = 2});
  const PlannedJob shard = s.Job("i0/1of2").job;
  EXPECT_EQ(s.Happen(ImportResult{shard.key, shard.spec, CorrectResult(shard)}), "INVALID_ARGUMENT");
}

TEST(Split, SurvivesARestartHalfDone) {
  Scenario s;
  s.Submit(1, "t0 -> i0 -> t1");
  TrainFirst(s);
  s.Sync({.slots = 3});
  s.Sync({.slots = 3, .running = {"i0/2of3"}, .done = {"i0/1of3"}});
  s.scheduler() = Restarted(s.scheduler(), {}, s.now());
  EXPECT_EQ(s.Job("i0").shards, (std::vector<JobKey>{KeyNamed("i0/1of3"), KeyNamed("i0/2of3"), KeyNamed("i0/3of3")}));
  EXPECT_EQ(s.Desired("w1").find("i0/1of3"), std::string::npos);
  EXPECT_EQ(s.Sync({.slots = 3, .running = {"i0/2of3"}, .done = {"i0/3of3"}}),
            "i0/3of3 accepted #1, i0/3of3 succeeded, i0/2of3 renewed, w1 seen");
  WorkToTheEnd(s, 3);
  EXPECT_EQ(KindOf(s.Job("t1").state), JobStateKind::kSucceeded);
}

TEST(Split, ARestartFindsAShardMissing) {
  Scenario s;
  s.Submit(1, "t0 -> i0");
  TrainFirst(s);
  s.Sync({.slots = 3});
  Scheduler damaged({}, s.now());
  for (const auto& [key, record] : s.scheduler().jobs()) {
    if (key != KeyNamed("i0/2of3")) damaged.Restore(record);
  }
  damaged.Restore(AddSweep{1, s.scheduler().sweeps().at(1)});
  EXPECT_EQ(damaged.FinishRestore().code(), absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace roar::schedule
