#include <utility>

#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

TEST(Restore, DerivesWhatTheFirstLifeKnew) {
  Scenario s;
  s.Submit(1, "t0 -> e0 -> t1; t9");
  s.Submit(2, "t0 -> e1; t8");
  s.Cancel(2);
  s.Sync({.slots = 2});
  s.Sync({.slots = 2, .running = {"t9"}, .failed = {"t0 runner_crashed"}});
  const Scheduler after = Restarted(s.scheduler(), {}, s.now());
  ASSERT_EQ(after.jobs().size(), s.scheduler().jobs().size());
  for (const auto& [key, record] : s.scheduler().jobs()) {
    const JobRecord& restored = after.jobs().at(key);
    EXPECT_EQ(KindOf(restored.state), KindOf(record.state)) << key.hex();
    EXPECT_EQ(restored.sweeps, record.sweeps) << key.hex();
    EXPECT_EQ(restored.dependents, record.dependents) << key.hex();
    EXPECT_EQ(restored.longest_chain, record.longest_chain) << key.hex();
    EXPECT_EQ(restored.plan_order, record.plan_order) << key.hex();
    EXPECT_EQ(restored.failures, record.failures) << key.hex();
  }
  EXPECT_TRUE(after.IsCanceled(2));
}

TEST(Restore, LeasesLiveForOneTtlAndTheirWorkersAreAdopted) {
  Scenario s;
  s.Submit(1, "t0; t1; t2");
  s.Sync({.worker = "w1"});
  s.Sync({.worker = "w2"});
  s.Sync({.worker = "w3"});
  s.scheduler() = Restarted(s.scheduler(), {}, absl::Seconds(1000));
  s.At(1059);
  EXPECT_EQ(s.Tick(), "");
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::Seconds(1060));
  EXPECT_EQ(s.Sync({.worker = "w1", .running = {"t0"}}), "t0 running w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.worker = "w2", .incarnation = "b"}), "t1 ready, t1 leased w2 #2, w2 seen")
      << "a worker that restarted meanwhile holds nothing of before";
  s.At(1060);
  EXPECT_EQ(s.Tick(), "t2 ready at 1061s");
}

TEST(Restore, MomentsOfTheFirstLifesClockMeanNothing) {
  Scenario s;
  s.At(5000);
  s.Submit(1, "t0; t1; t2");
  s.Sync({.slots = 3});
  s.Sync({.slots = 3, .running = {"t1"}, .failed = {"t2 worker_lost"}});
  s.scheduler() = Restarted(s.scheduler(), {}, absl::ZeroDuration());
  s.At(0);
  EXPECT_EQ(s.Jobs(), "t0 leased w1 #1, t1 running w1 #1, t2 ready");
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::Seconds(60));
  s.At(60);
  EXPECT_EQ(s.Tick(), "t0 ready at 61s, t1 ready at 61s");
}

TEST(Restore, NoLeaseEndsWithinATtlOfTheStart) {
  Scenario s;
  s.scheduler() = Scheduler({.lease_ttl = absl::Seconds(60)}, absl::Seconds(-10));
  s.Submit(1, "t0");
  s.Sync({});
  auto lease = *LeaseOf(s.Job("t0").state);
  s.scheduler().Apply({RenewLease{.key = JobKey("t0"), .expires = lease.expires - absl::Seconds(30)}});
  s.At(45);
  EXPECT_EQ(s.scheduler().NextDeadline(), absl::Seconds(50));
  EXPECT_EQ(s.Tick(), "");
  s.At(50);
  EXPECT_EQ(s.Tick(), "t0 ready at 51s");
}

struct Damage {
  std::string name;
  void (*harm)(std::vector<JobRecord>& jobs, AddSweep& sweep);
  std::string message;
};

class DamageTest : public testing::TestWithParam<Damage> {};

// Sweep 1 is t0 -> e0, with t0 succeeded and e0 leased.
TEST_P(DamageTest, IsFound) {
  std::vector<JobRecord> jobs;
  for (PlannedJob& job : Graph("t0 -> e0")) jobs.push_back({job, Succeeded{"out(t0)", 1}, 1});
  jobs[1].state = Leased{{"w1", "a", 1}};
  AddSweep sweep{1, {{JobKey("t0")}, {JobKey("e0")}}};
  GetParam().harm(jobs, sweep);
  Scheduler scheduler({}, absl::ZeroDuration());
  for (const JobRecord& job : jobs) scheduler.Restore(job);
  scheduler.Restore(sweep);
  const absl::Status status = scheduler.FinishRestore();
  EXPECT_EQ(status.code(), GetParam().message.empty() ? absl::StatusCode::kOk : absl::StatusCode::kInternal);
  EXPECT_NE(std::string(status.message()).find(GetParam().message), std::string::npos) << status;
}

INSTANTIATE_TEST_SUITE_P(
    All, DamageTest,
    testing::Values(
        Damage{"None", [](auto&, auto&) {}, ""},
        Damage{"MissingJob", [](auto& jobs, auto&) { jobs.pop_back(); }, "names job e0, which is not stored"},
        Damage{"MissingInput",
               [](auto& jobs, auto& sweep) {
                 jobs.erase(jobs.begin());
                 sweep.members.erase(sweep.members.begin());
               },
               "its input t0 does not come before it"},
        Damage{"WrongOrder", [](auto&, auto& sweep) { std::swap(sweep.members[0], sweep.members[1]); },
               "its input t0 does not come before it"},
        Damage{"NoSweep", [](auto&, auto& sweep) { sweep.members.pop_back(); }, "job e0 (leased): no sweep needs it"},
        Damage{"CanceledSweep", [](auto&, auto& sweep) { sweep.canceled = true; }, "(leased): no sweep needs it"},
        Damage{"NoOutput", [](auto& jobs, auto&) { jobs[0].state = Succeeded{}; }, "it has no output"},
        Damage{"InputNotThere", [](auto& jobs, auto&) { jobs[0].state = Ready{}; }, "an input has not succeeded"},
        Damage{"NeverComes",
               [](auto& jobs, auto&) {
                 jobs[0].state = Failed{};
                 jobs[1].state = Pending{};
               },
               "an input will never come"},
        Damage{"WaitsForNothing", [](auto& jobs, auto&) { jobs[1].state = Pending{}; },
               "all that it waits for succeeded"},
        Damage{"OldEpoch", [](auto& jobs, auto&) { jobs[1].last_epoch = 2; }, "its lease is not the last granted"},
        Damage{"NobodysLease",
               [](auto& jobs, auto&) {
                 jobs[1].state = Leased{{"", "a", 1}};
               },
               "lease is nobody's"},
        Damage{"NoCause", [](auto& jobs, auto&) { jobs[1].state = Aborted{"t5"}; }, "its cause is unknown"}),
    [](const auto& info) { return info.param.name; });

TEST(Invariants, AWorkerWithMoreJobsThanSlotsIsFound) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  Scheduler broken = s.scheduler();
  const_cast<WorkerRecord&>(broken.workers().at("w1")).slots = 0;
  EXPECT_EQ(broken.CheckInvariants().message(), "worker w1 holds 1 jobs in 0 slots");
}

}  // namespace
}  // namespace roar::schedule
