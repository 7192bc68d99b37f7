#include "server/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/sweep/assemble.h"
#include "server/rpc/sweep_view.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

namespace roar::server {
namespace {

using schedule::JobStateKind;
using testing::HasSubstr;

class CoordinatorTest : public testing::Test {
 protected:
  CoordinatorTest() {
    StoreFakeOutputs(*artifacts_);
    Start();
  }

  void Start() {
    coordinator_.reset();
    Coordinator::Options options{folder_.path() / "control.db", {}};
    options.scheduler.retry_backoff = absl::Milliseconds(1);
    // A held call that is not answered by what happens hangs the test.
    options.scheduler.lease_ttl = absl::Hours(10);
    options.longest_hold = absl::Hours(1);
    auto coordinator = Coordinator::Start(options, *artifacts_, metrics_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
  }
  SubmittedSweep Submit(const SweepSpec& spec) {
    auto submitted = coordinator_->Do([&](ServiceState& state) { return state.SubmitSweep(spec); });
    EXPECT_TRUE(submitted.ok()) << submitted.status();
    return submitted.ok() ? *submitted : SubmittedSweep{};
  }
  v1::SweepInfo Info(std::int64_t sweep_id) {
    return *coordinator_->Do([&](ServiceState& state) -> absl::StatusOr<v1::SweepInfo> {
      EXPECT_TRUE(state.scheduler().CheckInvariants().ok()) << state.scheduler().CheckInvariants();
      return Detail(state, state.sweeps().at(sweep_id));
    });
  }
  std::int64_t StoredRows(const std::string& table) {
    SQLite::Database connection((folder_.path() / "control.db").string(), SQLite::OPEN_READONLY);
    return connection.execAndGet("SELECT count(*) FROM " + table).getInt64();
  }
  // Through a connection of the test's own, which the coordinator never sees.
  void Break(const std::string& sql) {
    SQLite::Database connection((folder_.path() / "control.db").string(), SQLite::OPEN_READWRITE, 1000);
    connection.exec(sql);
  }
  FakeWorker Worker(const std::string& name, int slots = 2) { return {*coordinator_, name, slots}; }

  TemporaryFolder folder_;
  Metrics metrics_{"test"};
  std::unique_ptr<ArtifactStore> artifacts_ = *ArtifactStore::Open(folder_.path());
  std::unique_ptr<Coordinator> coordinator_;
  SweepSpec spec_ = FakeSweep(StoreDataset(*artifacts_));
};

TEST_F(CoordinatorTest, ASweepRunsToItsEnd) {
  const SubmittedSweep sweep = Submit(spec_);
  EXPECT_EQ(sweep.jobs_total, static_cast<std::int64_t>(MakePlan(spec_).jobs.size()));
  EXPECT_EQ(Info(sweep.id).state(), v1::SWEEP_STATE_RUNNING);
  EXPECT_LT(Info(sweep.id).eta_seconds(), 0) << "nothing is known yet";
  EXPECT_EQ(Info(sweep.id).workers(), 0);
  FakeWorker worker = Worker("w1");
  EXPECT_TRUE(worker.Work().ok());
  EXPECT_EQ(worker.jobs().size(), 2u);
  EXPECT_EQ(Info(sweep.id).workers(), 1);
  EXPECT_TRUE(worker.WorkToEnd().ok());
  const v1::SweepInfo info = Info(sweep.id);
  EXPECT_EQ(info.state(), v1::SWEEP_STATE_SUCCEEDED);
  EXPECT_EQ(info.jobs().succeeded(), sweep.jobs_total);
  EXPECT_EQ(worker.finished(), sweep.jobs_total) << "no job was done twice";
  EXPECT_GT(info.finished_unix_seconds(), 0);
  for (const v1::CellProgress& cell : info.cells()) EXPECT_EQ(cell.points_done(), cell.points_total());
  EXPECT_EQ(StoredRows("results"), sweep.jobs_total);
}

TEST_F(CoordinatorTest, JobsHaveNamesAndAnEstimate) {
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker worker = Worker("w1", 1);
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(worker.Work().ok());
    const v1::SweepInfo info = Info(sweep.id);
    for (const v1::RunningJobInfo& job : info.running()) seen.insert(job.description());
  }
  EXPECT_THAT(seen, testing::IsSupersetOf({"train babi-1 unmasked seed 0", "train babi-1 all masked seed 1",
                                           "train babi-1 recursive gradient 20 % seed 0",
                                           "train babi-1 recursive random 50 % seed 1",
                                           "explain gradient of babi-1 unmasked seed 0"}));
  EXPECT_EQ(Info(sweep.id).eta_seconds(), 0);
}

TEST_F(CoordinatorTest, ExplanationsWithoutAModelRunToTheEndWithoutOne) {
  spec_.measures = {std::string(Name(Measure::kMutualInformation))};
  spec_.strategies = {"roar", "recursive"};
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker worker = Worker("w1", 1);
  std::map<std::string, std::set<std::string>> roles_read;
  do {
    ASSERT_TRUE(worker.Work().ok());
    const v1::SweepInfo info = Info(sweep.id);
    for (const v1::RunningJobInfo& job : info.running()) {
      for (const InputHash& input : worker.jobs().at(0).inputs) roles_read[job.description()].insert(input.role);
    }
  } while (!worker.jobs().empty());
  EXPECT_EQ(Info(sweep.id).jobs().succeeded(), sweep.jobs_total);
  EXPECT_THAT(roles_read["explain mutual_information of babi-1 unmasked"], testing::ElementsAre("dataset"));
  EXPECT_THAT(roles_read["explain mutual_information of babi-1 recursive mutual_information 20 %"],
              testing::ElementsAre("dataset", "ranking"));
}

TEST_F(CoordinatorTest, TheEstimateIsTheRemainingWorkOfTheSlots) {
  spec_.measures = {"random"};
  spec_.seeds = {0};
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker worker = Worker("w1", 1);
  ASSERT_TRUE(worker.Work().ok());
  ASSERT_TRUE(worker.Work().ok());
  EXPECT_DOUBLE_EQ(Info(sweep.id).eta_seconds(), 2.0 * static_cast<double>(sweep.jobs_total - 1));
}

TEST_F(CoordinatorTest, ARestartForgetsNothing) {
  const SubmittedSweep sweep = Submit(spec_);
  {
    FakeWorker worker = Worker("w1");
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(worker.Work().ok());
  }
  v1::SweepInfo before = Info(sweep.id);
  Start();
  v1::SweepInfo after = Info(sweep.id);
  // Workers come back only with their next call; until then nobody knows how many slots there are.
  for (v1::SweepInfo* info : {&before, &after}) {
    info->clear_eta_seconds();
    info->clear_workers();
  }
  EXPECT_EQ(after.DebugString(), before.DebugString());
  EXPECT_EQ(after.running_size(), 2);
  FakeWorker worker = Worker("w1");
  schedule::Synchronize reconnect = worker.Report();
  EXPECT_EQ(worker.Send(reconnect).get()->desired.size(), 2u) << "the same incarnation keeps its leases";
  ASSERT_TRUE(worker.WorkToEnd().ok());
  EXPECT_EQ(Info(sweep.id).jobs().succeeded(), sweep.jobs_total);
}

TEST_F(CoordinatorTest, WhatIsNotCommittedIsNotAcknowledgedAndNotRemembered) {
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker worker = Worker("w1");
  ASSERT_TRUE(worker.Work().ok());
  ASSERT_TRUE(worker.Work().ok());
  const v1::SweepInfo before = Info(sweep.id);
  Break("CREATE TRIGGER full BEFORE INSERT ON results BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  const absl::Status refused = worker.Work();
  EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("could not commit, try again"));
  const v1::SweepInfo after = Info(sweep.id);
  EXPECT_EQ(after.jobs().DebugString(), before.jobs().DebugString());
  EXPECT_EQ(StoredRows("results"), before.jobs().succeeded());
  SweepSpec other = spec_;
  other.name = "other";
  EXPECT_EQ(Submit(other).jobs_cached, before.jobs().succeeded()) << "what writes no result goes on";
  Break("DROP TRIGGER full");
  ASSERT_TRUE(worker.WorkToEnd().ok());
  EXPECT_EQ(Info(sweep.id).jobs().succeeded(), sweep.jobs_total);
  EXPECT_EQ(StoredRows("results"), sweep.jobs_total);
}

TEST_F(CoordinatorTest, EqualSweepsAreOneAndEqualJobsAreDoneOnce) {
  const SubmittedSweep first = Submit(spec_);
  EXPECT_FALSE(first.resumed);
  const SubmittedSweep again = Submit(spec_);
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.id, first.id);
  FakeWorker worker = Worker("w1");
  ASSERT_TRUE(worker.WorkToEnd().ok());
  SweepSpec wider = spec_;
  wider.name = "wider";
  wider.seeds.push_back(7);
  const SubmittedSweep second = Submit(wider);
  EXPECT_NE(second.id, first.id);
  EXPECT_EQ(second.jobs_cached, first.jobs_total);
  ASSERT_TRUE(worker.WorkToEnd().ok());
  const v1::JobCounts counts = Info(second.id).jobs();
  EXPECT_EQ(counts.cached(), first.jobs_total);
  EXPECT_EQ(counts.succeeded(), second.jobs_total - first.jobs_total);
  EXPECT_EQ(worker.finished(), second.jobs_total);
}

TEST_F(CoordinatorTest, AResultOfALostLeaseIsSupersededOnceAnotherCame) {
  spec_.seeds = {0};
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker lost = Worker("lost", 1);
  ASSERT_TRUE(lost.Work().ok());
  const Assignment job = lost.jobs().at(0);
  // A new process of the same worker knows nothing of the job, so its lease ends.
  schedule::Synchronize restarted = lost.Report("second");
  restarted.slots = 0;
  ASSERT_TRUE(lost.Send(restarted).get().ok());
  // Somebody else gets it once its back-off has passed.
  FakeWorker other = Worker("other", 100);
  std::int64_t epoch = 0;
  while (epoch == 0) {
    ASSERT_TRUE(other.Work().ok());
    for (const Assignment& taken : other.jobs()) {
      if (taken.desired.key == job.desired.key) epoch = taken.desired.epoch;
    }
  }
  EXPECT_GT(epoch, job.desired.epoch);
  ASSERT_TRUE(other.WorkToEnd().ok());
  schedule::Synchronize late = lost.Report();
  late.finished.push_back({job.desired.key, job.desired.epoch, FakeResult(job)});
  const auto reply = lost.Send(late).get();
  ASSERT_TRUE(reply.ok());
  EXPECT_THAT(reply->acknowledged, testing::ElementsAre(job.desired.key));
  EXPECT_EQ(StoredRows("superseded_results"), 1);
  EXPECT_THAT(metrics_.Text(), testing::HasSubstr("roar_results_superseded_total 1"));
  EXPECT_EQ(StoredRows("results"), sweep.jobs_total);
}

TEST_F(CoordinatorTest, AResultWhoseArtifactIsMissingIsAFailure) {
  Submit(spec_);
  FakeWorker worker = Worker("w1", 1);
  ASSERT_TRUE(worker.Work().ok());
  const Assignment job = worker.jobs().at(0);
  JobResult result = FakeResult(job);
  std::get<TrainResult>(result.outcome).checkpoint_sha256 = Sha256Hex("never uploaded");
  schedule::Synchronize report = worker.Report();
  report.finished.push_back({job.desired.key, job.desired.epoch, result});
  ASSERT_TRUE(worker.Send(report).get().ok());
  EXPECT_EQ(StoredRows("results"), 0);
  EXPECT_EQ(StoredRows("job_failures"), 1);
}

TEST_F(CoordinatorTest, AHeldCallIsAnsweredByNewWork) {
  FakeWorker worker = Worker("w1");
  auto held = worker.Send(worker.Report(), absl::Hours(1));
  Info(Submit(spec_).id);
  const auto reply = held.get();
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_EQ(reply->desired.size(), 2u);
}

TEST_F(CoordinatorTest, AHeldCallHearsOfWhatFollowsItInItsBatch) {
  Submit(spec_);
  FakeWorker busy = Worker("busy", 100);
  ASSERT_TRUE(busy.Work().ok());
  schedule::Synchronize report = busy.Report();
  report.draining = true;
  for (const Assignment& job : busy.jobs()) {
    report.finished.push_back({job.desired.key, job.desired.epoch, FakeResult(job)});
  }
  FakeWorker waiting = Worker("waiting", 1);
  std::future<absl::StatusOr<SynchronizeReply>> held, finishing;
  // While the coordinator's thread is here, both calls queue up for its next batch.
  const absl::Status status = coordinator_->Do([&](ServiceState&) {
    held = waiting.Send(waiting.Report(), absl::Hours(1));
    finishing = busy.Send(report);
    return absl::OkStatus();
  });
  ASSERT_TRUE(status.ok());
  ASSERT_TRUE(finishing.get().ok());
  EXPECT_EQ(held.get()->desired.size(), 1u);
}

TEST_F(CoordinatorTest, AHeldCallHearsOfACancellationAndOfItsSuccessor) {
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker worker = Worker("w1");
  ASSERT_TRUE(worker.Work().ok());
  schedule::Synchronize report = worker.Report();
  for (const Assignment& job : worker.jobs()) report.running.push_back({job.desired.key, job.desired.epoch});
  auto older = worker.Send(report, absl::Hours(1));
  auto newer = worker.Send(report, absl::Hours(1));
  EXPECT_TRUE(absl::IsUnavailable(older.get().status()));
  const auto canceled = coordinator_->Do([&](ServiceState& state) { return state.CancelSweep(sweep.id); });
  EXPECT_EQ(*canceled, sweep.jobs_total);
  EXPECT_TRUE(newer.get()->desired.empty());
  EXPECT_EQ(Info(sweep.id).state(), v1::SWEEP_STATE_CANCELED);
  EXPECT_TRUE(Submit(spec_).resumed);
  EXPECT_EQ(Info(sweep.id).state(), v1::SWEEP_STATE_RUNNING);
}

TEST_F(CoordinatorTest, StoppingAnswersWhatWaits) {
  FakeWorker worker = Worker("w1");
  auto held = worker.Send(worker.Report(), absl::Hours(1));
  coordinator_->Stop();
  EXPECT_TRUE(absl::IsUnavailable(held.get().status()));
  EXPECT_TRUE(absl::IsUnavailable(coordinator_->Do([](ServiceState&) { return absl::OkStatus(); })));
}

TEST_F(CoordinatorTest, ADataSetsNameStandsForContentThatIsHere) {
  SweepSpec unknown = FakeSweep(Sha256Hex("nowhere"));
  const auto refused = coordinator_->Do([&](ServiceState& state) { return state.SubmitSweep(unknown); });
  EXPECT_TRUE(absl::IsFailedPrecondition(refused.status()));
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("babi-1"));

  v1::DatasetInfo info;
  info.set_name("mine");
  info.set_content_sha256(StoreDataset(*artifacts_, "one"));
  const auto put = [&](bool replace) {
    return coordinator_->Do([&](ServiceState& state) { return state.RegisterDataset(info, replace); });
  };
  EXPECT_TRUE(put(false).ok());
  EXPECT_TRUE(put(false).ok()) << "the same again";
  info.set_content_sha256(StoreDataset(*artifacts_, "two"));
  EXPECT_TRUE(absl::IsAlreadyExists(put(false)));
  EXPECT_TRUE(put(true).ok());
  Start();
  const auto kept = coordinator_->Do(
      [](ServiceState& state) -> absl::StatusOr<std::string> { return state.datasets().at("mine").content_sha256(); });
  EXPECT_EQ(*kept, info.content_sha256());
}

TEST_F(CoordinatorTest, MetricsCountWhatHappened) {
  spec_.seeds = {0};
  const SubmittedSweep sweep = Submit(spec_);
  FakeWorker worker = Worker("w1");
  ASSERT_TRUE(worker.WorkToEnd().ok());
  const auto gauges =
      coordinator_->Do([](ServiceState& state) -> absl::StatusOr<Gauges> { return state.CurrentGauges(); });
  metrics_.Set(*gauges);
  const std::string text = metrics_.Text();
  const std::string total = std::to_string(sweep.jobs_total);
  EXPECT_THAT(text, HasSubstr("roar_jobs{state=\"succeeded\"} " + total + "\n"));
  EXPECT_THAT(text, HasSubstr("roar_leases_granted_total " + total + "\n"));
  EXPECT_THAT(text, HasSubstr("roar_jobs_finished_total{kind=\"explain\",outcome=\"succeeded\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("roar_job_device_seconds_total{kind=\"explain\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("roar_sweeps{state=\"finished\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("roar_build_info{version=\"test\"} 1\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr(spec_.datasets[0].reference.content_sha256)));
}

}  // namespace
}  // namespace roar::server
