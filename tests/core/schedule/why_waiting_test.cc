#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

using Kind = WaitReason::Kind;

Kind KindOfWait(Scenario& s, const std::string& job) { return s.scheduler().WhyWaiting(JobKey(job), s.now()).kind; }

TEST(WhyWaiting, NamesTheInputsThatAreMissing) {
  Scenario s;
  s.Submit(1, "t0 -> e0 -> t1 -> e1");
  s.Sync({});
  s.Sync({.done = {"t0"}});
  s.Sync({.done = {"e0"}});
  const WaitReason reason = s.scheduler().WhyWaiting(JobKey("e1"), s.now());
  EXPECT_EQ(reason.kind, Kind::kInputsMissing);
  EXPECT_EQ(reason.jobs, std::vector<JobKey>{JobKey("t1")});
}

TEST(WhyWaiting, ReadyJobsWaitForAWorkerThenASlotThenACall) {
  Scenario s;
  s.Submit(1, "t0; t1");
  EXPECT_EQ(KindOfWait(s, "t1"), Kind::kNoWorker);
  s.Sync({.slots = 0});
  EXPECT_EQ(KindOfWait(s, "t1"), Kind::kNoWorker);
  s.Sync({.draining = true});
  EXPECT_EQ(KindOfWait(s, "t1"), Kind::kNoWorker);
  s.Sync({});
  EXPECT_EQ(KindOfWait(s, "t0"), Kind::kNotWaiting);
  EXPECT_EQ(KindOfWait(s, "t1"), Kind::kNoFreeSlot);
  s.Sync({.worker = "w2", .draining = true});
  EXPECT_EQ(KindOfWait(s, "t1"), Kind::kNoFreeSlot);
  s.Submit(2, "t2");
  s.Sync({.slots = 3});
  s.Submit(3, "t3");
  s.Sync({.slots = 3, .failed = {"t2 worker_lost"}});
  s.At(2);
  EXPECT_EQ(KindOfWait(s, "t2"), Kind::kNoFreeSlot) << "t3 took its slot, and its back-off is over";
  s.Cancel(3);
  EXPECT_EQ(KindOfWait(s, "t2"), Kind::kNotWaiting) << "the next call takes it";
}

TEST(WhyWaiting, SaysHowLongABackoffLasts) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.At(5);
  s.Sync({.failed = {"t0 preempted"}});
  s.At(5.25);
  const WaitReason reason = s.scheduler().WhyWaiting(JobKey("t0"), s.now());
  EXPECT_EQ(reason.kind, Kind::kBackoff);
  EXPECT_EQ(reason.remaining, absl::Seconds(0.75));
}

TEST(WhyWaiting, NamesTheFailureAndItsVictimsCause) {
  Scenario s({.deterministic_attempts_most = 1});
  s.Submit(1, "t0 -> e0 -> t1");
  s.Sync({});
  s.Sync({.failed = {"t0 deterministic"}});
  EXPECT_EQ(KindOfWait(s, "t0"), Kind::kFailed);
  EXPECT_EQ(s.scheduler().WhyWaiting(JobKey("t0"), s.now()).detail, "deterministic: because");
  const WaitReason reason = s.scheduler().WhyWaiting(JobKey("t1"), s.now());
  EXPECT_EQ(reason.kind, Kind::kInputFailed);
  EXPECT_EQ(reason.jobs, std::vector<JobKey>{JobKey("t0")});
  EXPECT_EQ(reason.detail, "deterministic: because");
  s.Submit(2, "t0");
  EXPECT_EQ(s.scheduler().WhyWaiting(JobKey("t1"), s.now()).detail, "") << "t0 is being tried again by sweep 2";
}

TEST(WhyWaiting, TheRestDoNotWait) {
  Scenario s;
  s.Submit(1, "t0; t1");
  s.Sync({});
  s.Sync({.done = {"t0"}});
  EXPECT_EQ(KindOfWait(s, "t0"), Kind::kNotWaiting);
  EXPECT_EQ(KindOfWait(s, "t5"), Kind::kNotWaiting);
  s.Cancel(1);
  EXPECT_EQ(KindOfWait(s, "t1"), Kind::kCanceled);
}

}  // namespace
}  // namespace roar::schedule
