#include "server/daemon.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <google/protobuf/any.pb.h>
#include <grpcpp/support/status.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <map>
#include <regex>

#include "core/experiment/sha256.h"
#include "proto/convert.h"
#include "proto/roar/v1/rich_error.pb.h"
#include "proto/transport/access_file.h"
#include "proto/transport/artifact_transfer.h"
#include "proto/transport/channel.h"
#include "proto/transport/durable_file.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

namespace roar::server {
namespace {

using testing::HasSubstr;

constexpr absl::Duration kTimeout = absl::Seconds(20);

// A whole coordinator in this process, with real sockets.
class DaemonTest : public testing::Test {
 protected:
  DaemonTest() {
    setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1);
    daemon_ = Start("127.0.0.1:0");
    if (daemon_ != nullptr) Connect();
  }
  void Connect() {
    access_ = daemon_->access();
    channel_ = OpenChannel(access_);
  }
  std::unique_ptr<Daemon> Start(const std::string& listen) {
    auto daemon = Daemon::Start({folder_.path() / "state", listen, "127.0.0.1:0"});
    EXPECT_TRUE(daemon.ok()) << daemon.status();
    return daemon.ok() ? *std::move(daemon) : nullptr;
  }
  template <class Stub, class Request, class Response>
  grpc::Status Call(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response& response) {
    grpc::ClientContext context;
    PrepareCall(context, access_, kTimeout);
    return (stub.*method)(&context, request, &response);
  }
  // The coordinator's data set, by the same way as a client's.
  std::string UploadDataset() {
    const std::string content = "examples";
    WriteFileDurably(folder_.path() / "dataset", ZstdFrame(content)).IgnoreError();
    const absl::Status status =
        UploadArtifact(channel_, access_, {v1::ARTIFACT_KIND_DATASET, Sha256Hex(content)}, folder_.path() / "dataset");
    EXPECT_TRUE(status.ok()) << status;
    return Sha256Hex(content);
  }
  grpc::Status Submit(const SweepSpec& spec, v1::SubmitSweepResponse& response, const std::string& request_id = "") {
    auto stub = v1::SweepService::NewStub(channel_);
    v1::SubmitSweepRequest request;
    *request.mutable_spec() = ToProto(spec);
    request.set_request_id(request_id);
    return Call(*stub, &v1::SweepService::Stub::SubmitSweep, request, response);
  }
  grpc::Status Synchronize(v1::SynchronizeRequest request, v1::SynchronizeResponse& response, int slots = 2) {
    auto stub = v1::WorkerService::NewStub(channel_);
    request.set_worker("w1");
    request.set_incarnation("first");
    request.set_slots(slots);
    if (request.protocol_version() == 0) request.set_protocol_version(kProtocolVersion);
    return Call(*stub, &v1::WorkerService::Stub::Synchronize, request, response);
  }
  grpc::Status ServerInfo(const std::shared_ptr<grpc::Channel>& channel, v1::GetServerInfoResponse& response) {
    auto stub = v1::ServerService::NewStub(channel);
    return Call(*stub, &v1::ServerService::Stub::GetServerInfo, v1::GetServerInfoRequest(), response);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Daemon> daemon_;
  v1::Access access_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(DaemonTest, TheAccessFileIsPrivateAndSaysHowToCome) {
  const std::filesystem::path path = folder_.path() / "state" / "access.json";
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto access = ReadAccessFile(path);
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->token().size(), 64u);
  v1::GetServerInfoResponse response;
  ASSERT_TRUE(ServerInfo(OpenChannel(*access), response).ok());
  EXPECT_EQ(response.address(), access->address());
  EXPECT_EQ(response.access_file(), std::filesystem::canonical(path).string());
}

TEST_F(DaemonTest, NobodyComesInWithoutTheToken) {
  access_.set_token(std::string(64, '0'));
  v1::GetServerInfoResponse response;
  EXPECT_EQ(ServerInfo(channel_, response).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  v1::SynchronizeResponse synchronized;
  EXPECT_EQ(Synchronize({}, synchronized).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  v1::SubmitSweepResponse submitted;
  EXPECT_EQ(Submit({}, submitted).error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(DaemonTest, TcpIsOnlyForThoseWhoTrustTheAuthority) {
  v1::Access remote = access_;
  remote.clear_local_address();
  v1::GetServerInfoResponse response;
  EXPECT_TRUE(ServerInfo(OpenChannel(remote), response).ok());
  v1::Access stranger = remote;
  stranger.clear_ca_certificate_pem();
  EXPECT_EQ(ServerInfo(OpenChannel(stranger), response).error_code(), grpc::StatusCode::UNAVAILABLE);
  stranger = remote;
  stranger.set_certificate_name("somebody-else");
  EXPECT_EQ(ServerInfo(OpenChannel(stranger), response).error_code(), grpc::StatusCode::UNAVAILABLE);
  const auto plain = grpc::CreateChannel(remote.address(), grpc::InsecureChannelCredentials());
  EXPECT_FALSE(ServerInfo(plain, response).ok());
}

TEST_F(DaemonTest, AnotherProtocolVersionIsRefusedByBothNames) {
  v1::SynchronizeRequest request;
  request.set_protocol_version(kProtocolVersion + 41);
  v1::SynchronizeResponse response;
  const grpc::Status status = Synchronize(request, response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("version " + std::to_string(kProtocolVersion + 41)));
  EXPECT_THAT(status.error_message(), HasSubstr("coordinator " + std::to_string(kProtocolVersion)));
}

TEST_F(DaemonTest, EveryProblemOfASweepComesWithItsField) {
  SweepSpec spec = FakeSweep(Sha256Hex("x"));
  spec.measures = {"gradeint"};
  spec.seeds = {};
  v1::SubmitSweepResponse response;
  const grpc::Status status = Submit(spec, response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::RichStatus rich;
  ASSERT_TRUE(rich.ParseFromString(status.error_details()));
  EXPECT_EQ(rich.code(), status.error_code());
  ASSERT_EQ(rich.details_size(), 1);
  EXPECT_EQ(rich.details(0).type_url(), "type.googleapis.com/google.rpc.BadRequest");
  v1::BadRequest details;
  ASSERT_TRUE(details.ParseFromString(rich.details(0).value()));
  const std::vector<SweepProblem> problems = Validate(spec);
  ASSERT_EQ(details.field_violations_size(), static_cast<int>(problems.size()));
  for (int i = 0; i < details.field_violations_size(); ++i) {
    EXPECT_EQ(details.field_violations(i).field(), problems[static_cast<std::size_t>(i)].field_path);
    EXPECT_EQ(details.field_violations(i).description(), problems[static_cast<std::size_t>(i)].message);
  }
}

TEST_F(DaemonTest, ARepeatedRequestHasTheEffectOfOne) {
  const SweepSpec spec = FakeSweep(UploadDataset());
  v1::SubmitSweepResponse first, again, other;
  ASSERT_TRUE(Submit(spec, first, "id-1").ok());
  ASSERT_TRUE(Submit(spec, again, "id-1").ok());
  EXPECT_EQ(again.DebugString(), first.DebugString()) << "not even 'resumed' differs";
  ASSERT_TRUE(Submit(spec, other, "id-2").ok());
  EXPECT_TRUE(other.resumed());
}

TEST_F(DaemonTest, AWorkerTakesASweepToItsResults) {
  v1::SubmitSweepResponse sweep;
  const grpc::Status submitted = Submit(FakeSweep(UploadDataset()), sweep);
  ASSERT_TRUE(submitted.ok()) << submitted.error_message();
  const std::string output = Sha256Hex(kFakeOutput);
  const std::map<v1::ArtifactKind, std::string> outputs = {{v1::ARTIFACT_KIND_CHECKPOINT, kFakeOutput},
                                                           {v1::ARTIFACT_KIND_RANKING, ZstdFrame(kFakeOutput)}};
  for (const auto& [kind, bytes] : outputs) {
    WriteFileDurably(folder_.path() / "output", bytes).IgnoreError();
    ASSERT_TRUE(UploadArtifact(channel_, access_, {kind, output}, folder_.path() / "output").ok());
    ASSERT_TRUE(DownloadArtifact(channel_, access_, {kind, output}, folder_.path() / "fetched").ok());
    EXPECT_EQ(*ReadFile(folder_.path() / "fetched"), bytes);
  }
  v1::SynchronizeRequest request;
  v1::SynchronizeResponse reply;
  do {
    reply.Clear();
    ASSERT_TRUE(Synchronize(request, reply).ok());
    request.Clear();
    for (const v1::DesiredJob& job : reply.desired()) {
      Assignment assignment;
      assignment.spec = *FromProto(job.spec());
      for (const v1::ArtifactInput& input : job.inputs()) assignment.inputs.push_back({input.role(), input.sha256()});
      v1::FinishedJob& finished = *request.add_finished();
      finished.set_key(job.key());
      finished.set_lease_epoch(job.lease_epoch());
      *finished.mutable_result() = ToProto(FakeResult(assignment));
    }
  } while (reply.desired_size() > 0);

  auto stub = v1::SweepService::NewStub(channel_);
  v1::GetResultsRequest results_request;
  results_request.set_sweep_id(sweep.sweep_id());
  v1::GetResultsResponse results;
  ASSERT_TRUE(Call(*stub, &v1::SweepService::Stub::GetResults, results_request, results).ok());
  EXPECT_EQ(results.sweep().state(), v1::SWEEP_STATE_SUCCEEDED);
  ASSERT_EQ(results.racu_size(), 1);
  // By hand, from FakeAccuracy at 0, 20, 50 and 100 %: random 1, .92, .80, .20; gradient 1, .84, .60, .20.
  const double between = 0.2 * (0 + 0.08) / 2 + 0.3 * (0.08 + 0.2) / 2 + 0.5 * (0.2 + 0) / 2;
  const double below_random = 0.2 * (0.8 + 0.72) / 2 + 0.3 * (0.72 + 0.6) / 2 + 0.5 * (0.6 + 0) / 2;
  EXPECT_NEAR(results.racu(0).racu().mean(), between / below_random, 1e-12);

  v1::WatchSweepRequest watch;
  watch.set_sweep_id(sweep.sweep_id());
  grpc::ClientContext context;
  PrepareCall(context, access_, kTimeout);
  auto reader = stub->WatchSweep(&context, watch);
  v1::WatchSweepResponse seen;
  ASSERT_TRUE(reader->Read(&seen));
  EXPECT_EQ(seen.sweep().jobs().succeeded(), sweep.jobs_total());
  EXPECT_FALSE(reader->Read(&seen)) << "a finished sweep's stream ends";
  EXPECT_TRUE(reader->Finish().ok());
}

// The sweep itself does not change by it.
TEST_F(DaemonTest, AWatcherHearsThatAWorkerHasCome) {
  v1::SubmitSweepResponse sweep;
  ASSERT_TRUE(Submit(FakeSweep(UploadDataset()), sweep).ok());
  v1::WatchSweepRequest watch;
  watch.set_sweep_id(sweep.sweep_id());
  grpc::ClientContext context;
  PrepareCall(context, access_, kTimeout);
  const auto reader = v1::SweepService::NewStub(channel_)->WatchSweep(&context, watch);
  v1::WatchSweepResponse seen;
  ASSERT_TRUE(reader->Read(&seen));
  EXPECT_EQ(seen.sweep().workers(), 0);
  v1::SynchronizeResponse ignored;
  ASSERT_TRUE(Synchronize({}, ignored, 0).ok());
  ASSERT_TRUE(reader->Read(&seen));
  EXPECT_EQ(seen.sweep().workers(), 1);
  context.TryCancel();
}

TEST_F(DaemonTest, ListsComeInPages) {
  v1::SubmitSweepResponse sweep;
  ASSERT_TRUE(Submit(FakeSweep(UploadDataset()), sweep).ok());
  auto stub = v1::JobService::NewStub(channel_);
  v1::ListJobsRequest request;
  request.set_sweep_id(sweep.sweep_id());
  request.set_page_size(5);
  std::map<std::string, v1::JobInfo> jobs;
  do {
    v1::ListJobsResponse page;
    ASSERT_TRUE(Call(*stub, &v1::JobService::Stub::ListJobs, request, page).ok());
    EXPECT_LE(page.jobs_size(), 5);
    for (const v1::JobInfo& job : page.jobs()) EXPECT_TRUE(jobs.emplace(job.key(), job).second);
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(static_cast<std::int64_t>(jobs.size()), sweep.jobs_total());
  for (const auto& [key, job] : jobs) {
    EXPECT_THAT(job.waits_for(), HasSubstr(job.state() == "ready" ? "waits for a worker" : "waits for ")) << key;
  }
  v1::GetJobRequest get;
  get.set_key(jobs.begin()->first.substr(0, 12));
  v1::GetJobResponse got;
  ASSERT_TRUE(Call(*stub, &v1::JobService::Stub::GetJob, get, got).ok());
  EXPECT_EQ(got.job().key(), jobs.begin()->first);
  get.set_key("abc");
  EXPECT_EQ(Call(*stub, &v1::JobService::Stub::GetJob, get, got).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(DaemonTest, MetricsNeedTheTokenAndParse) {
  httplib::SSLClient client("127.0.0.1",
                            std::stoi(access_.http_address().substr(access_.http_address().rfind(':') + 1)));
  client.enable_server_certificate_verification(false);
  const auto health = client.Get("/healthz");
  ASSERT_TRUE(health);
  EXPECT_THAT(health->body, HasSubstr("\"status\":\"ok\""));
  EXPECT_EQ(client.Get("/metrics")->status, 401);
  v1::GetServerInfoResponse info;
  ASSERT_TRUE(ServerInfo(channel_, info).ok());
  const auto metrics = client.Get("/metrics", {{"Authorization", "Bearer " + access_.token()}});
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->status, 200);
  const std::regex line(
      R"(# (HELP|TYPE) roar_[a-z_]+ .+|roar_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [-+0-9.eIinf]+)");
  std::istringstream text(metrics->body);
  int lines = 0;
  for (std::string read; std::getline(text, read); ++lines) EXPECT_TRUE(std::regex_match(read, line)) << read;
  EXPECT_GT(lines, 40);
  EXPECT_THAT(metrics->body, testing::ContainsRegex("roar_rpcs_total\\{.*GetServerInfo.*\\} 1"));
  // What the coordinator exports is what docs/metrics.md says.
  const std::string documentation = *ReadFile(std::filesystem::path(ROAR_SOURCE_DIR) / "docs" / "metrics.md");
  const std::regex type(R"(# TYPE (\S+) (\S+))");
  for (std::sregex_iterator found(metrics->body.begin(), metrics->body.end(), type), end; found != end; ++found) {
    EXPECT_THAT(documentation, HasSubstr("`" + (*found)[1].str() + "` | " + (*found)[2].str()));
  }
}

TEST_F(DaemonTest, ASecondCoordinatorAndATakenPortAreRefused) {
  const auto second = Daemon::Start({folder_.path() / "state", "", ""});
  EXPECT_TRUE(absl::IsAlreadyExists(second.status()));
  EXPECT_EQ(ExitCode(second.status()), 8);
  const auto taken = Daemon::Start({folder_.path() / "other", access_.address(), ""});
  EXPECT_EQ(ExitCode(taken.status()), 9);
  EXPECT_THAT(std::string(taken.status().message()), HasSubstr(access_.address()));
  EXPECT_THAT(std::string(taken.status().message()), HasSubstr("in use"));
  const auto taken_web = Daemon::Start({folder_.path() / "another", "", access_.http_address()});
  EXPECT_EQ(ExitCode(taken_web.status()), 9);
  EXPECT_EQ(ExitCode(Daemon::Start({folder_.path() / "third", "nonsense", ""}).status()), 2);
}

TEST_F(DaemonTest, TokenAndAuthorityOutliveARestart) {
  daemon_.reset();
  daemon_ = Start("127.0.0.1:0");
  ASSERT_NE(daemon_, nullptr);
  EXPECT_EQ(daemon_->access().token(), access_.token());
  EXPECT_EQ(daemon_->access().ca_certificate_pem(), access_.ca_certificate_pem());
  EXPECT_EQ(daemon_->access().local_address(), access_.local_address());
}

// As after a change of the jobs' versions: the same spec has other keys now.
TEST_F(DaemonTest, ASweepThatAnotherVersionPlannedIsShownAndCanBeSubmittedAgain) {
  const SweepSpec spec = FakeSweep(UploadDataset());
  v1::SubmitSweepResponse old;
  ASSERT_TRUE(Submit(spec, old).ok());
  daemon_.reset();
  {
    SQLite::Database control((folder_.path() / "state" / "control.db").string(), SQLite::OPEN_READWRITE);
    control.exec("PRAGMA foreign_keys = OFF");
    control.exec("UPDATE sweeps SET key = 'of another version'");
    for (const char* column : {"jobs.key", "job_inputs.job_key", "job_inputs.input_key", "sweep_members.job_key"}) {
      const std::string text(column);
      const std::string table = text.substr(0, text.find('.')), name = text.substr(text.find('.') + 1);
      control.exec("UPDATE " + table + " SET " + name + " = substr(" + name + ", 2) || 'f'");
    }
  }
  daemon_ = Start("127.0.0.1:0");
  ASSERT_NE(daemon_, nullptr);
  Connect();
  auto stub = v1::SweepService::NewStub(channel_);
  v1::GetSweepRequest get;
  get.set_sweep_id(old.sweep_id());
  v1::GetSweepResponse shown;
  ASSERT_TRUE(Call(*stub, &v1::SweepService::Stub::GetSweep, get, shown).ok());
  EXPECT_EQ(shown.sweep().jobs().ready() + shown.sweep().jobs().pending(), old.jobs_total());
  v1::GetResultsRequest get_results;
  get_results.set_sweep_id(old.sweep_id());
  v1::GetResultsResponse results;
  const grpc::Status refused = Call(*stub, &v1::SweepService::Stub::GetResults, get_results, results);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("submit its file again"));

  v1::SubmitSweepResponse again;
  ASSERT_TRUE(Submit(spec, again).ok());
  EXPECT_FALSE(again.resumed());
  EXPECT_NE(again.sweep_id(), old.sweep_id());
  get_results.set_sweep_id(again.sweep_id());
  EXPECT_TRUE(Call(*stub, &v1::SweepService::Stub::GetResults, get_results, results).ok());
}

TEST_F(DaemonTest, ShutdownEndsTheWait) {
  auto stub = v1::ServerService::NewStub(channel_);
  v1::ShutdownResponse response;
  ASSERT_TRUE(Call(*stub, &v1::ServerService::Stub::Shutdown, v1::ShutdownRequest(), response).ok());
  daemon_->Wait();
  daemon_.reset();
  v1::GetServerInfoResponse info;
  EXPECT_FALSE(ServerInfo(channel_, info).ok());
}

}  // namespace
}  // namespace roar::server
