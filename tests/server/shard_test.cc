#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "server/rpc/job_view.h"
#include "server/rpc/sweep_view.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

// A sweep whose explanations are split because slots are idle, up to the coordinator's store.

namespace roar::server {
namespace {

using testing::HasSubstr;

class ShardTest : public testing::Test {
 protected:
  ShardTest() {
    StoreFakeOutputs(*artifacts_);
    spec_.measures = {std::string(Name(Measure::kIntegratedGradient))};
    Start();
    sweep_ = *coordinator_->Do([&](ServiceState& state) { return state.SubmitSweep(spec_); });
  }
  void Start() {
    coordinator_.reset();
    Coordinator::Options options{folder_.path() / "control.db", {}};
    options.scheduler.lease_ttl = absl::Hours(10);
    options.scheduler.deterministic_attempts_most = 1;
    coordinator_ = *Coordinator::Start(options, *artifacts_, metrics_);
  }

  // What `read` makes of the state, on the coordinator's thread.
  template <class Read>
  auto Look(const Read& read) {
    using Value = std::invoke_result_t<Read, ServiceState&>;
    return *coordinator_->Do([&](ServiceState& state) -> absl::StatusOr<Value> {
      EXPECT_EQ(state.scheduler().CheckInvariants(), absl::OkStatus());
      return read(state);
    });
  }
  v1::SweepInfo Info() {
    return Look([&](ServiceState& state) { return Detail(state, state.sweeps().at(sweep_.id)); });
  }
  // Works until shards are held: in the second round, when the trainings that need no explanation are done.
  static void WorkToShards(FakeWorker& worker) {
    const auto is_shard = [](const Assignment& job) { return KindOf(job.spec) == JobKind::kExplainShard; };
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(worker.Work().ok());
    ASSERT_EQ(std::ranges::count_if(worker.jobs(), is_shard), 4);
  }
  // The worker's call that ends the first of the jobs and runs the others.
  static schedule::Synchronize EndsTheFirst(const FakeWorker& worker) {
    schedule::Synchronize report = worker.Report();
    for (const Assignment& job : worker.jobs()) {
      if (report.finished.empty()) {
        report.finished.push_back({job.desired.key, job.desired.epoch, FakeResult(job)});
      } else {
        report.running.push_back({job.desired.key, job.desired.epoch, schedule::Phase::kExplaining, 0.5});
      }
    }
    return report;
  }

  TemporaryFolder folder_;
  Metrics metrics_{"test"};
  std::unique_ptr<ArtifactStore> artifacts_ = *ArtifactStore::Open(folder_.path());
  std::unique_ptr<Coordinator> coordinator_;
  SweepSpec spec_ = FakeSweep(StoreDataset(*artifacts_), {0});
  SubmittedSweep sweep_;
};

TEST_F(ShardTest, HalfDoneTheySurviveARestart) {
  {
    FakeWorker worker(*coordinator_, "w1", 4);
    WorkToShards(worker);
    for (const Assignment& job : worker.jobs()) EXPECT_TRUE(job.explained_train.has_value() && job.whole.has_value());
    ASSERT_TRUE(worker.Send(EndsTheFirst(worker)).get().ok());
  }
  Start();
  EXPECT_EQ(Info().running_size(), 3) << "the shards that are left";
  FakeWorker worker(*coordinator_, "w1", 4);
  ASSERT_TRUE(worker.Work().ok());
  EXPECT_EQ(worker.jobs().size(), 3u) << "what is done stays done, what runs stays leased";
  ASSERT_TRUE(worker.WorkToEnd().ok());
  EXPECT_EQ(Info().state(), v1::SWEEP_STATE_SUCCEEDED);
  EXPECT_EQ(Info().jobs().succeeded(), sweep_.jobs_total) << "shards are not counted among a sweep's jobs";
  Look([&](ServiceState& state) {
    std::int64_t shards = 0;
    for (const auto& [key, record] : state.scheduler().jobs()) {
      shards += std::ssize(record.shards);
      if (record.shards.empty()) continue;
      std::set<std::string> roles;
      const std::optional<JobResult> result = state.Result(key);
      EXPECT_TRUE(result.has_value());
      if (!result.has_value()) continue;
      for (const InputHash& input : result->inputs) roles.insert(input.role);
      EXPECT_FALSE(roles.contains("shard")) << "the inputs of a merged result are the whole's";
      EXPECT_TRUE(roles.contains("checkpoint"));
    }
    EXPECT_EQ(shards, 8) << "4 for each of the two links";
    EXPECT_EQ(std::ssize(state.scheduler().jobs()), sweep_.jobs_total + shards);
    return 0;
  });
}

// The whole's own attempt only merges; what it took is what its shards took, here and after a restart.
TEST_F(ShardTest, TheResultOfTheWholeHasTheirSeconds) {
  FakeWorker worker(*coordinator_, "w1", 4);
  worker.result_of = [](const Assignment& job) {
    JobResult result = FakeResult(job);
    const auto* shard = std::get_if<ExplainShardSpec>(&job.spec);
    result.provenance.peak_memory_bytes = shard == nullptr ? 5 : 10 * (1 + shard->shard.index);
    result.provenance.seconds_by_phase = {{"uploading", 0.25}};
    if (shard != nullptr)
      result.provenance.seconds_by_phase["explaining"] = 1.0 + static_cast<double>(shard->shard.index);
    return result;
  };
  ASSERT_TRUE(worker.WorkToEnd().ok());
  const auto mean_seconds = [](ServiceState& state) {
    return state.Finished(JobKind::kExplain).seconds / static_cast<double>(state.Finished(JobKind::kExplain).count);
  };
  EXPECT_DOUBLE_EQ(Look(mean_seconds), 4 * 0.25 + 0.25 + 1 + 2 + 3 + 4);
  EXPECT_THAT(metrics_.Text(), HasSubstr("roar_job_device_seconds_total{kind=\"explain\"} 0.5\n")) << "of two merges";
  Start();
  EXPECT_DOUBLE_EQ(Look(mean_seconds), 4 * 0.25 + 0.25 + 1 + 2 + 3 + 4);
  const std::vector<Provenance> wholes = Look([](ServiceState& state) {
    std::vector<Provenance> split;
    for (const auto& [key, record] : state.scheduler().jobs()) {
      if (!record.shards.empty()) split.push_back(state.Result(key).value().provenance);
    }
    return split;
  });
  ASSERT_EQ(wholes.size(), 2u);
  for (const Provenance& whole : wholes) {
    EXPECT_EQ(whole.seconds_by_phase, (std::map<std::string, double>{{"explaining", 10.0}, {"uploading", 1.25}}));
    EXPECT_EQ(whole.peak_memory_bytes, 40);
  }
}

TEST_F(ShardTest, PeopleSeeThemRunAndWhatTheyArePartOf) {
  FakeWorker worker(*coordinator_, "w1", 4);
  WorkToShards(worker);
  const v1::SweepInfo info = Info();
  ASSERT_EQ(info.running_size(), 4);
  EXPECT_EQ(info.running(0).description(), "shard 1 of 4 of explain integrated_gradient of babi-1 unmasked seed 0");
  const std::string waits_for = Look([&](ServiceState& state) {
    const schedule::JobRecord& shard = state.scheduler().jobs().at(JobKey(info.running(0).key()));
    return Summarize(state, state.scheduler().WholeOf(shard)).waits_for();
  });
  EXPECT_THAT(waits_for, HasSubstr("waits for shard 1 of 4 of explain"));
  EXPECT_THAT(waits_for, HasSubstr("and 3 more"));
}

TEST_F(ShardTest, TheFailureOfOneIsTheWholesInTheSweep) {
  FakeWorker worker(*coordinator_, "w1", 4);
  WorkToShards(worker);
  schedule::Synchronize report = EndsTheFirst(worker);
  report.finished[0].outcome = schedule::FailureReport{schedule::FailureKind::kDeterministic, "bad data"};
  ASSERT_TRUE(worker.Send(report).get().ok());
  const v1::SweepInfo info = Info();
  ASSERT_EQ(info.failures_size(), 1);
  EXPECT_EQ(info.failures(0).description(), "explain integrated_gradient of babi-1 unmasked seed 0");
  EXPECT_EQ(info.failures(0).reason(), "bad data");
  EXPECT_EQ(info.running_size(), 0);
  EXPECT_EQ(info.state(), v1::SWEEP_STATE_FAILED);
}

TEST_F(ShardTest, CancelingTheSweepCancelsThem) {
  FakeWorker worker(*coordinator_, "w1", 4);
  WorkToShards(worker);
  ASSERT_TRUE(coordinator_->Do([&](ServiceState& state) { return state.CancelSweep(sweep_.id); }).ok());
  EXPECT_TRUE(worker.Send(worker.Report()).get()->desired.empty());
  EXPECT_EQ(Info().running_size(), 0);
}

}  // namespace
}  // namespace roar::server
