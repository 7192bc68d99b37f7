#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

struct KindRow {
  std::string kind;
  // Attempts after which the job has FAILED; 0 when it is tried for ever.
  int attempts_most = 0;
};

class FailureKindTest : public testing::TestWithParam<KindRow> {};

TEST_P(FailureKindTest, IsRetriedAsOftenAsItsKindAllows) {
  Scenario s;
  s.Submit(1, "t0");
  const int attempts = GetParam().attempts_most == 0 ? 20 : GetParam().attempts_most;
  for (int attempt = 1; attempt <= attempts; ++attempt) {
    s.At(100 * attempt);
    s.Sync({});
    EXPECT_EQ(s.Desired("w1"), "t0#" + std::to_string(attempt) + " attempt " + std::to_string(attempt));
    s.Sync({.running = {"t0"}});
    s.Sync({.failed = {"t0 " + GetParam().kind}});
    const bool last = attempt == GetParam().attempts_most;
    EXPECT_EQ(KindOf(s.Job("t0").state), last ? JobStateKind::kFailed : JobStateKind::kReady) << "attempt " << attempt;
  }
  if (GetParam().attempts_most == 0) return;
  const auto& failed = std::get<Failed>(s.Job("t0").state);
  EXPECT_EQ(Name(failed.kind), GetParam().kind);
  EXPECT_EQ(failed.reason, "because");
}

INSTANTIATE_TEST_SUITE_P(All, FailureKindTest,
                         testing::Values(KindRow{"worker_lost", 0}, KindRow{"preempted", 0},
                                         KindRow{"out_of_memory", 2}, KindRow{"runner_crashed", 5},
                                         KindRow{"deterministic", 2}),
                         [](const auto& info) { return info.param.kind; });

TEST(Failure, KindsAreCountedApart) {
  Scenario s;
  s.Submit(1, "t0");
  for (const char* kind : {"runner_crashed", "out_of_memory", "deterministic", "runner_crashed"}) {
    s.At(absl::ToDoubleSeconds(s.now()) + 60);
    s.Sync({});
    s.Sync({.failed = {std::string("t0 ") + kind}});
    EXPECT_EQ(KindOf(s.Job("t0").state), JobStateKind::kReady) << kind;
  }
  s.At(600);
  s.Sync({});
  EXPECT_EQ(s.Desired("w1"), "t0#5 attempt 5");
}

TEST(Failure, BackoffDoublesUpToTheLongest) {
  Scenario s;
  s.Submit(1, "t0");
  double now = 0;
  for (const double wait : {1, 2, 4, 8, 16, 32, 60, 60}) {
    s.Sync({});
    s.Sync({.failed = {"t0 preempted"}});
    EXPECT_EQ(std::get<Ready>(s.Job("t0").state).not_before, absl::Seconds(now + wait));
    s.At(now + wait - 0.001);
    EXPECT_EQ(s.Sync({}), "w1 seen") << "not before its time";
    now += wait;
    s.At(now);
  }
}

TEST(Failure, AJobThatBacksOffHoldsNobodyUp) {
  Scenario s;
  s.Submit(1, "t0 -> e0; t9");
  s.Sync({});
  EXPECT_EQ(s.Sync({.failed = {"t0 worker_lost"}}), "t0 ready at 1s, t9 leased w1 #1, w1 seen");
}

TEST(Failure, AbortsOnlyWhatDependsOnIt) {
  Scenario s({.deterministic_attempts_most = 1});
  s.Submit(1, "t0 -> e0 -> t1 -> e1 -> t2; t0 -> e9 -> t9");
  s.Sync({});
  s.Sync({.slots = 2, .done = {"t0"}});
  EXPECT_EQ(s.Sync({.slots = 2, .failed = {"e0 deterministic"}}),
            "e0 failed, t1 aborted by e0, e1 aborted by e0, t2 aborted by e0, e9 renewed, w1 seen");
  EXPECT_EQ(s.Sync({.slots = 2, .done = {"e9"}}), "e9 accepted #1, e9 succeeded, t9 ready, t9 leased w1 #1, w1 seen");
}

TEST(Failure, ReportOfAnEndedLeaseOrOfAnotherWorkerIsNoFailure) {
  Scenario s({.deterministic_attempts_most = 1});
  s.Submit(1, "t0");
  s.Sync({});
  EXPECT_EQ(s.Sync({.worker = "w2", .failed = {"t0#1 deterministic"}}), "w2 seen");
  s.At(60);
  s.Tick();
  EXPECT_EQ(s.Sync({.slots = 0, .failed = {"t0#1 deterministic"}}), "w1 seen");
  EXPECT_EQ(KindOf(s.Job("t0").state), JobStateKind::kReady);
}

}  // namespace
}  // namespace roar::schedule
