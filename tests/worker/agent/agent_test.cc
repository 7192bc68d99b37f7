#include "worker/agent/agent.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "proto/roar/v1/worker_service.grpc.pb.h"
#include "proto/transport/access_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker/agent/shell_runner.h"

namespace roar::agent {
namespace {

// Desires the jobs that it is told to, holds calls while nothing is new, and remembers every call.
class FakeCoordinator : public v1::WorkerService::Service {
 public:
  explicit FakeCoordinator(const std::filesystem::path& socket) : address_("unix:" + socket.string()) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~FakeCoordinator() override { Shutdown(); }

  void Shutdown() { server_->Shutdown(std::chrono::system_clock::now()); }
  const std::string& address() const { return address_; }

  void Desire(std::vector<std::string> keys) {
    std::lock_guard lock(mutex_);
    desired_ = std::move(keys);
    news_ = true;
    changed_.notify_all();
  }
  void Refuse(grpc::Status status) {
    std::lock_guard lock(mutex_);
    refusal_ = std::move(status);
  }

  // The first call, of those that came after the last one awaited, for which `matches` holds.
  v1::SynchronizeRequest Await(const std::function<bool(const v1::SynchronizeRequest&)>& matches) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return awaited_ < calls_.size(); });
      const v1::SynchronizeRequest& call = calls_[awaited_++];
      if (matches(call)) return call;
    }
  }

  grpc::Status Synchronize(grpc::ServerContext* context, const v1::SynchronizeRequest* request,
                           v1::SynchronizeResponse* response) override {
    std::unique_lock lock(mutex_);
    calls_.push_back(*request);
    changed_.notify_all();
    if (!refusal_.ok()) return refusal_;
    for (const v1::FinishedJob& job : request->finished()) {
      std::erase(desired_, job.key());
      response->add_acknowledged_keys(job.key());
    }
    const auto held_until = std::chrono::steady_clock::now() + std::chrono::milliseconds(request->wait_milliseconds());
    while (!news_ && !context->IsCancelled() && std::chrono::steady_clock::now() < held_until) {
      changed_.wait_for(lock, std::chrono::milliseconds(1));
    }
    news_ = false;
    response->set_lease_ttl_milliseconds(600'000);
    response->set_next_call_in_milliseconds(next_call_in_milliseconds_);
    for (const std::string& key : desired_) {
      v1::DesiredJob& job = *response->add_desired();
      job.set_key(key);
      job.set_lease_epoch(1);
    }
    return grpc::Status::OK;
  }

  std::atomic<int> next_call_in_milliseconds_ = 100'000;

 private:
  const std::string address_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> desired_;
  std::vector<v1::SynchronizeRequest> calls_;
  std::size_t awaited_ = 0;
  bool news_ = false;
  grpc::Status refusal_;
  std::unique_ptr<grpc::Server> server_;
};

bool RunsSomething(const v1::SynchronizeRequest& request) { return request.running_size() > 0; }
bool FinishedSomething(const v1::SynchronizeRequest& request) { return request.finished_size() > 0; }
bool IsHeld(const v1::SynchronizeRequest& request) { return request.wait_milliseconds() > 0; }

class AgentTest : public testing::Test {
 protected:
  // The runner's first job fails at once, its second never ends.
  void SetUp() override {
    v1::Provenance description;
    description.set_device_kind("cpu-test");
    v1::RunnerMessage failed;
    failed.mutable_done()->mutable_failure()->set_kind("deterministic");
    ASSERT_TRUE(WriteFileDurably(Path("description"), Frame(description)).ok());
    ASSERT_TRUE(WriteFileDurably(Path("failure"), Frame(failed)).ok());
    WriteShellRunner(folder_.path(),
                     "case \"$*\" in *--describe*) cat $FOLDER/description >&3; exit 0;; esac\n"
                     "read_job; cat $FOLDER/failure >&3; read_job; exec sleep 1000");
    LetIn(coordinator_);
  }
  void TearDown() override { EndAgent(); }

  void LetIn(const FakeCoordinator& coordinator) {
    v1::Access access;
    access.set_address(coordinator.address());
    access.set_token("secret");
    ASSERT_TRUE(WriteAccessFile(Path("access"), access).ok());
  }

  void StartAgent(int slots, std::optional<absl::Duration> idle_exit = std::nullopt) {
    auto agent = Agent::Create({.access_path = Path("access"),
                                .name = "tester",
                                .slots = slots,
                                .cache_folder = Path("cache"),
                                .runner_program = Path("runner"),
                                .idle_exit = idle_exit});
    ASSERT_TRUE(agent.ok()) << agent.status();
    agent_ = *std::move(agent);
    running_ = std::thread([this] { ended_ = agent_->Run(stop_.fd()); });
  }

  absl::Status JoinAgent() {
    running_.join();
    agent_.reset();
    return ended_;
  }

  void EndAgent() {
    stop_.Notify();
    if (running_.joinable()) running_.join();
    agent_.reset();
  }

  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
  FakeCoordinator coordinator_{folder_.path() / "socket"};
  Wakeup stop_;
  std::unique_ptr<Agent> agent_;
  std::thread running_;
  absl::Status ended_;
};

TEST_F(AgentTest, TheFirstCallSaysWhoItIs) {
  StartAgent(3);
  const v1::SynchronizeRequest call = coordinator_.Await([](const auto&) { return true; });
  EXPECT_EQ(call.worker(), "tester");
  EXPECT_EQ(call.incarnation().size(), 32u);
  EXPECT_EQ(call.protocol_version(), kProtocolVersion);
  EXPECT_EQ(call.slots(), 3);
  EXPECT_EQ(call.device_kind(), "cpu-test");
  EXPECT_NE(call.software_version(), "");
  EXPECT_EQ(call.wait_milliseconds(), 0) << "the lease is not known before the first response";
}

// The heartbeat of these tests is minutes: nothing here waits for it.
TEST_F(AgentTest, ACompletionDoesNotWaitForAHeldCallOrAHeartbeat) {
  StartAgent(2);
  coordinator_.Await(IsHeld);
  coordinator_.Desire({"a"});
  const v1::SynchronizeRequest finished = coordinator_.Await(FinishedSomething);
  EXPECT_EQ(finished.finished(0).key(), "a");
  EXPECT_EQ(finished.finished(0).lease_epoch(), 1);
  EXPECT_EQ(finished.finished(0).failure().kind(), "deterministic");
  EXPECT_FALSE(IsHeld(finished));
  EXPECT_FALSE(FinishedSomething(coordinator_.Await(IsHeld))) << "acknowledged";
}

TEST_F(AgentTest, ToldToEndItGivesBackWhatRuns) {
  StartAgent(1);
  coordinator_.Await(IsHeld);
  coordinator_.next_call_in_milliseconds_ = 1;
  coordinator_.Desire({"a"});
  coordinator_.Await(FinishedSomething);
  coordinator_.Desire({"b"});
  coordinator_.Await(RunsSomething);
  stop_.Notify();
  const v1::SynchronizeRequest last = coordinator_.Await([](const auto& call) { return !call.drain_reason().empty(); });
  ASSERT_EQ(last.finished_size(), 1);
  EXPECT_EQ(last.finished(0).key(), "b");
  EXPECT_EQ(last.finished(0).failure().kind(), "preempted");
  EXPECT_TRUE(JoinAgent().ok());
}

TEST_F(AgentTest, AJobThatIsNoLongerWantedIsStopped) {
  StartAgent(1);
  coordinator_.Await(IsHeld);
  coordinator_.next_call_in_milliseconds_ = 1;
  coordinator_.Desire({"a"});
  coordinator_.Await(FinishedSomething);
  coordinator_.Desire({"b"});
  coordinator_.Await(RunsSomething);
  coordinator_.Desire({});
  coordinator_.Await([](const auto& call) { return IsHeld(call) && !RunsSomething(call); });
}

TEST_F(AgentTest, ACoordinatorThatComesBackElsewhereFindsTheJobRunning) {
  StartAgent(1);
  coordinator_.Await(IsHeld);
  coordinator_.next_call_in_milliseconds_ = 1;
  coordinator_.Desire({"a"});
  coordinator_.Await(FinishedSomething);
  coordinator_.Desire({"b"});
  const std::string incarnation = coordinator_.Await(RunsSomething).incarnation();
  coordinator_.Shutdown();

  FakeCoordinator other(folder_.path() / "other-socket");
  other.Desire({"b"});
  LetIn(other);
  const v1::SynchronizeRequest call = other.Await([](const auto&) { return true; });
  EXPECT_EQ(call.incarnation(), incarnation);
  ASSERT_TRUE(RunsSomething(call));
  EXPECT_EQ(call.running(0).key(), "b");
  EndAgent();
}

struct Refusal {
  grpc::StatusCode code;
  absl::StatusCode ends_as;
};

class RefusedAgent : public AgentTest, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusedAgent, Ends) {
  coordinator_.Refuse(grpc::Status(GetParam().code, "no"));
  StartAgent(1);
  EXPECT_EQ(JoinAgent().code(), GetParam().ends_as);
}

INSTANTIATE_TEST_SUITE_P(
    Agent, RefusedAgent,
    testing::Values(Refusal{grpc::StatusCode::UNAUTHENTICATED, absl::StatusCode::kUnauthenticated},
                    Refusal{grpc::StatusCode::PERMISSION_DENIED, absl::StatusCode::kPermissionDenied},
                    Refusal{grpc::StatusCode::FAILED_PRECONDITION, absl::StatusCode::kFailedPrecondition}));

TEST_F(AgentTest, IdleForLongItLeaves) {
  StartAgent(1, absl::Milliseconds(50));
  EXPECT_TRUE(JoinAgent().ok());
  EXPECT_NE(coordinator_.Await([](const auto& call) { return !call.drain_reason().empty(); }).drain_reason(), "");
}

// Its calls are at least 640 ms apart, which is longer than the time after which it would leave.
TEST_F(AgentTest, BetweenCallsTheCoordinatorIsNotAway) {
  coordinator_.next_call_in_milliseconds_ = 800;
  coordinator_.Desire({"a", "b"});
  StartAgent(1, absl::Milliseconds(600));
  for (int call = 0; call < 3; ++call) {
    const auto runs_or_leaves = [](const auto& call) {
      return !call.drain_reason().empty() || (RunsSomething(call) && call.running(0).key() == "b");
    };
    EXPECT_EQ(coordinator_.Await(runs_or_leaves).drain_reason(), "");
  }
}

TEST_F(AgentTest, WithoutACoordinatorItLeavesToo) {
  coordinator_.Shutdown();
  StartAgent(1, absl::Milliseconds(50));
  EXPECT_TRUE(JoinAgent().ok());
}

TEST_F(AgentTest, ARunnerThatDoesNotWorkIsFoundAtOnce) {
  WriteShellRunner(folder_.path(), "exit 127");
  const auto agent = Agent::Create({.access_path = Path("access"),
                                    .name = "tester",
                                    .cache_folder = Path("cache"),
                                    .runner_program = Path("runner")});
  EXPECT_TRUE(absl::IsInternal(agent.status()));
  EXPECT_THAT(std::string(agent.status().message()), testing::HasSubstr("exit status 127"));
}

}  // namespace
}  // namespace roar::agent
