#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

TEST(Time, ALeaseEndsAtItsMomentAndNotBefore) {
  Scenario s;
  s.Submit(1, "t0");
  s.At(100);
  s.Sync({});
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::Seconds(160));
  s.At(159.999);
  EXPECT_EQ(s.Tick(), "");
  s.At(160);
  EXPECT_EQ(s.Tick(), "t0 ready at 161s, w1 forgotten");
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::Seconds(161));
  s.At(161);
  EXPECT_EQ(s.Tick(), "t0 backed off");
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::InfiniteDuration());
  EXPECT_TRUE(s.Job("t0").failures.contains(FailureKind::kWorkerLost));
}

TEST(Time, ARunningJobIsLostLikeALeasedOne) {
  Scenario s;
  s.Submit(1, "t0; t1");
  s.Sync({});
  s.Sync({.running = {"t0"}});
  s.At(30);
  s.Sync({.worker = "w2"});
  s.At(60);
  EXPECT_EQ(s.Tick(), "t0 ready at 61s, w1 forgotten");
  EXPECT_EQ(s.Desired("w2"), "t1#1 attempt 1");
}

TEST(Time, ARenewedLeaseLivesOn) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.At(59);
  s.Sync({.running = {"t0"}});
  s.At(60);
  EXPECT_EQ(s.Tick(), "");
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::Seconds(119));
}

TEST(Time, ASilentWorkerIsForgottenWhenItHoldsNothing) {
  Scenario s;
  s.Sync({.worker = "w1"});
  s.At(30);
  s.Sync({.worker = "w2"});
  s.At(60);
  EXPECT_EQ(s.Tick(), "w1 forgotten");
  EXPECT_TRUE(s.scheduler().workers().contains("w2"));
  EXPECT_EQ(s.Sync({.worker = "w1"}), "w1 seen") << "it comes back like any other";
}

TEST(Time, NothingToWaitForHasNoDeadline) {
  Scenario s;
  s.Submit(1, "t0");
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::InfiniteDuration());
  EXPECT_EQ(s.Tick(), "");
}

}  // namespace
}  // namespace roar::schedule
