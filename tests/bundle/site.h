#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/bundle_export.h"
#include "client/bundle_import.h"
#include "client/coordinator.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"
#include "proto/transport/channel.h"
#include "server/rpc/rpc_server.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

namespace roar {

// A coordinator with a client and a worker whose results are made up. Equal jobs have equal outcomes at every site of
// the same salt.
class Site {
 public:
  explicit Site(std::string name, std::string salt = "") : name_(std::move(name)), salt_(std::move(salt)) { Start(); }
  ~Site() { Stop(); }

  // As after a restart of the program.
  void Restart() {
    Stop();
    Start();
  }

  server::SubmittedSweep Submit(const SweepSpec& spec) {
    for (const SweepDataset& dataset : spec.datasets) EXPECT_EQ(dataset.reference.content_sha256, AddDataset());
    auto submitted = coordinator_->Do([&](server::ServiceState& state) { return state.SubmitSweep(spec); });
    EXPECT_TRUE(submitted.ok()) << submitted.status();
    return submitted.ok() ? *submitted : server::SubmittedSweep{};
  }
  std::string AddDataset() { return server::StoreDataset(*artifacts_); }

  server::FakeWorker Worker(int slots = 2) {
    server::FakeWorker worker(*coordinator_, name_, slots);
    worker.result_of = [this](const server::Assignment& job) { return ResultOf(job); };
    return worker;
  }
  // The output is stored as a worker does before it reports.
  JobResult ResultOf(const server::Assignment& job) {
    JobResult result = server::FakeResult(job);
    const std::string output = "output of " + job.desired.key.hex() + salt_;
    if (auto* train = std::get_if<TrainResult>(&result.outcome)) {
      train->checkpoint_sha256 = Sha256Hex(output);
      train->metrics.at(Split::kTest).accuracy -= salt_.empty() ? 0 : 0.125;
      server::Store(*artifacts_, {server::ArtifactKind::kCheckpoint, Sha256Hex(output)}, output);
    } else {
      std::get<ExplainResult>(result.outcome).ranking_sha256 = Sha256Hex(output);
      server::Store(*artifacts_, {server::ArtifactKind::kRanking, Sha256Hex(output)}, server::ZstdFrame(output));
    }
    result.provenance.worker = name_;
    return result;
  }

  v1::Access Access() const {
    v1::Access access;
    access.set_local_address("unix:" + (folder_.path() / "socket").string());
    access.set_address(access.local_address());
    access.set_token(kToken);
    return access;
  }
  roar::Coordinator Client() const { return roar::Coordinator(Access(), name_); }
  ExportedBundle Export(std::int64_t sweep_id, const std::filesystem::path& path,
                        CheckpointChoice checkpoints = CheckpointChoice::kStillRead) const {
    auto exported = ExportBundle(Client(), sweep_id, path, checkpoints);
    EXPECT_TRUE(exported.ok()) << exported.status();
    return exported.ok() ? *exported : ExportedBundle{};
  }
  ImportedBundle Import(const std::filesystem::path& path) const {
    const auto content = CheckBundle(path);
    EXPECT_TRUE(content.ok()) << content.status();
    if (!content.ok()) return {};
    auto imported = ImportBundle(Client(), path, *content);
    EXPECT_TRUE(imported.ok()) << imported.status();
    return imported.ok() ? *imported : ImportedBundle{};
  }

  // Curves and RACU, to the bit.
  std::string Results(std::int64_t sweep_id) const {
    v1::GetResultsRequest request;
    request.set_sweep_id(sweep_id);
    auto results = Client().Call<v1::SweepService>(&v1::SweepService::Stub::GetResults, request);
    EXPECT_TRUE(results.ok()) << results.status();
    results->clear_sweep();
    return results->SerializeAsString();
  }
  schedule::JobStateKind StateOf(const JobKey& key) { return schedule::KindOf(Record(key).state); }
  schedule::JobRecord Record(const JobKey& key) {
    return *coordinator_->Do([&](server::ServiceState& state) -> absl::StatusOr<schedule::JobRecord> {
      return state.scheduler().jobs().at(key);
    });
  }
  JobResult Result(const JobKey& key) {
    return *coordinator_->Do(
        [&](server::ServiceState& state) -> absl::StatusOr<JobResult> { return state.Result(key).value(); });
  }
  std::size_t Jobs() {
    return *coordinator_->Do(
        [](server::ServiceState& state) -> absl::StatusOr<std::size_t> { return state.scheduler().jobs().size(); });
  }
  absl::Status CheckInvariants() {
    return coordinator_->Do([](server::ServiceState& state) { return state.scheduler().CheckInvariants(); });
  }

  std::filesystem::path folder() const { return folder_.path(); }
  server::ArtifactStore& artifacts() { return *artifacts_; }
  std::string MetricsText() const { return metrics_.Text(); }

 private:
  static constexpr char kToken[] = "token";

  void Start() {
    server::Coordinator::Options options{folder_.path() / "control.db", {}};
    options.scheduler.retry_backoff = absl::Milliseconds(1);
    options.scheduler.lease_ttl = absl::Hours(10);
    auto coordinator = server::Coordinator::Start(options, *artifacts_, metrics_);
    ASSERT_TRUE(coordinator.ok()) << coordinator.status();
    coordinator_ = *std::move(coordinator);
    auto rpc = server::RpcServer::Start({folder_.path() / "socket", "", {}, absl::Hours(10), [] {}}, *coordinator_,
                                        *artifacts_, gate_, metrics_);
    ASSERT_TRUE(rpc.ok()) << rpc.status();
    rpc_ = *std::move(rpc);
    v1::GetServerInfoResponse info;
    info.set_protocol_version(kProtocolVersion);
    rpc_->SetInfo(info);
  }
  void Stop() {
    EXPECT_EQ(CheckInvariants(), absl::OkStatus());
    coordinator_->Stop();
    rpc_.reset();
    coordinator_.reset();
  }

  const std::string name_;
  const std::string salt_;
  TemporaryFolder folder_;
  server::Metrics metrics_{"test"};
  server::Gate gate_{kToken, metrics_};
  std::unique_ptr<server::ArtifactStore> artifacts_ = *server::ArtifactStore::Open(folder_.path());
  std::unique_ptr<server::Coordinator> coordinator_;
  std::unique_ptr<server::RpcServer> rpc_;
};

}  // namespace roar
