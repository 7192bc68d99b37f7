#include "worker/agent/slot.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker/agent/shell_runner.h"
#include "worker/agent/mailbox.h"

namespace roar::agent {
namespace {

using testing::HasSubstr;
using testing::Key;
using testing::Pair;
using testing::UnorderedElementsAre;

const std::string kSha256(64, 'a');

v1::RunnerMessage Progress(const std::string& phase, double progress) {
  v1::RunnerMessage message;
  message.mutable_progress()->set_phase(phase);
  message.mutable_progress()->set_progress(progress);
  return message;
}

v1::RunnerMessage Trained() {
  v1::RunnerMessage message;
  message.mutable_done()->mutable_result()->mutable_train()->set_checkpoint_sha256(kSha256);
  return message;
}

v1::RunnerMessage Failed(const std::string& kind) {
  v1::RunnerMessage message;
  message.mutable_done()->mutable_failure()->set_kind(kind);
  message.mutable_done()->mutable_failure()->set_reason("because");
  return message;
}

v1::DesiredJob Job(const std::string& key) {
  v1::DesiredJob job;
  job.set_key(key);
  v1::ArtifactInput& input = *job.add_inputs();
  input.set_role("dataset");
  input.set_sha256(kSha256);
  return job;
}

// A slot whose runner is a shell script.
class SlotTest : public testing::Test {
 protected:
  using Ended = std::optional<v1::FinishedJob>;

  // `body` is the script (shell_runner.h); the messages of `answer` are in $FOLDER/answer.
  void MakeSlot(const std::string& body, const std::vector<v1::RunnerMessage>& answer = {}) {
    std::string frames;
    for (const v1::RunnerMessage& message : answer) frames += Frame(message);
    ASSERT_TRUE(WriteFileDurably(Path("answer"), frames).ok());
    WriteShellRunner(folder_.path(), body);
    SlotOptions options = {.worker = "tester",
                           .runner = {.program = Path("runner"), .log_path = Path("log")},
                           .scratch_folder = Path("scratch"),
                           .stop_grace = stop_grace_,
                           .retry_wait = absl::Milliseconds(1),
                           .retry_wait_longest = absl::Milliseconds(2)};
    slot_ = std::make_unique<Slot>(options, cache_, [this](int, const v1::FinishedJob* finished) {
      ended_.Post(finished == nullptr ? Ended() : Ended(*finished));
    });
  }

  // Null when the job was stopped.
  Ended AwaitEnd() {
    while (true) {
      WaitReadable(ended_.fd(), -1, absl::Seconds(60));
      std::vector<Ended> all = ended_.Take();
      if (!all.empty()) return all.front();
    }
  }

  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  // Waits for a file that the script writes; its content.
  std::string Await(const std::string& name) const {
    while (true) {
      if (auto content = ReadFile(Path(name)); content.ok() && content->ends_with("\n")) return *content;
      usleep(1000);
    }
  }

  TemporaryFolder folder_;
  absl::Duration stop_grace_ = absl::Seconds(60);
  std::atomic<int> failing_downloads_ = 0;
  std::atomic<int> downloads_ = 0;
  absl::Status download_error_ = absl::UnavailableError("away");
  std::string uploaded_;
  ArtifactCache cache_{folder_.path() / "cache",
                       {.download =
                            [this](const ArtifactName&, const std::filesystem::path& to) {
                              ++downloads_;
                              if (failing_downloads_-- > 0) return download_error_;
                              return WriteFileDurably(to, "data");
                            },
                        .upload =
                            [this](const ArtifactName&, const std::filesystem::path& from) {
                              absl::StatusOr<std::string> bytes = ReadFile(from);
                              if (bytes.ok()) uploaded_ = *bytes;
                              return bytes.status();
                            }}};
  Mailbox<Ended> ended_;
  std::unique_ptr<Slot> slot_;
};

constexpr char kAnswerAndStay[] =
    "read_job; echo $$ >> $FOLDER/pids; printf weights > $FOLDER/scratch/output\n"
    "cat $FOLDER/answer >&3; exec sleep 1000";

TEST_F(SlotTest, AResultIsUploadedAndCompleted) {
  MakeSlot(kAnswerAndStay, {Progress("training", 0.5), Trained()});
  slot_->Start(Job("a"));
  const Ended ended = AwaitEnd();
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->key(), "a");
  EXPECT_EQ(ended->result().train().checkpoint_sha256(), kSha256);
  EXPECT_EQ(ended->result().provenance().worker(), "tester");
  EXPECT_EQ(ended->result().provenance().seconds_by_phase().count("uploading"), 1u);
  EXPECT_EQ(uploaded_, "weights");
  EXPECT_TRUE(std::filesystem::is_empty(Path("scratch")));
  EXPECT_EQ(slot_->progress().phase(), "uploading");
}

TEST_F(SlotTest, TheRunnerStaysForTheNextJob) {
  MakeSlot("echo $$ >> $FOLDER/pids; while read_job; do cat $FOLDER/answer >&3; done", {Failed("preempted")});
  slot_->Start(Job("a"));
  EXPECT_EQ(AwaitEnd()->failure().kind(), "preempted");
  slot_->Start(Job("b"));
  EXPECT_EQ(AwaitEnd()->key(), "b");
  const std::string pids = Await("pids");
  EXPECT_EQ(std::count(pids.begin(), pids.end(), '\n'), 1);
}

constexpr char kAnswerEveryJob[] =
    "while read_job; do printf weights > $FOLDER/scratch/output; cat $FOLDER/answer >&3; done";

TEST_F(SlotTest, TimesOfTheAgentJoinThoseOfTheRunnerAndOnlyItsFirstJobHasItsStart) {
  v1::RunnerMessage trained = Trained();
  (*trained.mutable_done()->mutable_result()->mutable_provenance()->mutable_seconds_by_phase())["training"] = 2;
  MakeSlot(kAnswerEveryJob, {Progress("training", 0.5), trained});
  slot_->Start(Job("a"));
  const auto first = AwaitEnd()->result().provenance().seconds_by_phase();
  EXPECT_THAT(first, UnorderedElementsAre(Key("starting"), Key("fetching"), Pair("training", 2), Key("uploading")));
  EXPECT_GT(first.at("starting"), 0);
  slot_->Start(Job("b"));
  const auto second = AwaitEnd()->result().provenance().seconds_by_phase();
  EXPECT_THAT(second, UnorderedElementsAre(Key("fetching"), Pair("training", 2), Key("uploading")));
}

struct CrashCase {
  const char* name;
  const char* script;
  const char* reason;
};

class CrashingRunner : public SlotTest, public testing::WithParamInterface<CrashCase> {};

TEST_P(CrashingRunner, IsAFailureThatSaysHowItEnded) {
  MakeSlot(GetParam().script);
  slot_->Start(Job("a"));
  const Ended ended = AwaitEnd();
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->failure().kind(), "runner_crashed");
  EXPECT_THAT(ended->failure().reason(), HasSubstr(GetParam().reason));
  EXPECT_EQ(uploaded_, "");
}

INSTANTIATE_TEST_SUITE_P(Slot, CrashingRunner,
                         testing::Values(CrashCase{"ExitStatus", "exit 3", "exit status 3"},
                                         CrashCase{"Killed", "kill -KILL $$", "signal 9"},
                                         CrashCase{"Segfault", "kill -SEGV $$", "signal 11"},
                                         CrashCase{"InAMessage", "printf '\\005' >&3; exit 4", "exit status 4"}),
                         [](const auto& info) { return info.param.name; });

TEST_F(SlotTest, AfterACrashAFreshRunnerDoesTheNextJob) {
  MakeSlot("[ -e $FOLDER/crashed ] || { echo > $FOLDER/crashed; exit 1; }\n" + std::string(kAnswerAndStay),
           {Trained()});
  slot_->Start(Job("a"));
  EXPECT_EQ(AwaitEnd()->failure().kind(), "runner_crashed");
  slot_->Start(Job("a"));
  EXPECT_TRUE(AwaitEnd()->has_result());
}

TEST_F(SlotTest, AnIdleRunnerThatDiedIsReplacedUnnoticed) {
  MakeSlot(kAnswerAndStay, {Trained()});
  slot_->Start(Job("a"));
  ASSERT_TRUE(AwaitEnd()->has_result());
  const std::string runner = std::to_string(std::stoi(Await("pids")));
  ASSERT_EQ(kill(std::stoi(runner), SIGKILL), 0);
  while (ReadFile("/proc/" + runner + "/stat").value_or("").find(") Z ") == std::string::npos) usleep(1000);
  slot_->Start(Job("b"));
  EXPECT_TRUE(AwaitEnd()->has_result());
}

TEST_F(SlotTest, ARunnerThatCannotBeStartedIsACrash) {
  MakeSlot("");
  std::filesystem::remove(Path("runner"));
  slot_->Start(Job("a"));
  EXPECT_THAT(AwaitEnd()->failure().reason(), HasSubstr("runner"));
}

TEST_F(SlotTest, StoppingEndsTheRunnerAndItsChildren) {
  MakeSlot("sleep 1000 & echo $! > $FOLDER/child; wait");
  slot_->Start(Job("a"));
  const pid_t child = std::stoi(Await("child"));
  slot_->Stop();
  EXPECT_FALSE(AwaitEnd().has_value());
  // Nobody waits for an orphan in some containers, where it stays as a zombie.
  const std::string command_line = "/proc/" + std::to_string(child) + "/cmdline";
  while (kill(child, 0) == 0 && ReadFile(command_line).value_or("") != "") usleep(1000);
}

TEST_F(SlotTest, ARunnerThatIgnoresSigtermIsKilledAfterTheGrace) {
  stop_grace_ = absl::Milliseconds(20);
  MakeSlot("trap '' TERM; echo $$ > $FOLDER/pid; while :; do sleep 1000; done");
  slot_->Start(Job("a"));
  const pid_t runner = std::stoi(Await("pid"));
  slot_->Stop();
  EXPECT_FALSE(AwaitEnd().has_value());
  EXPECT_EQ(kill(runner, 0), -1);
}

TEST_F(SlotTest, AJobIsStoppedAlsoWhileItsInputsCannotBeFetched) {
  failing_downloads_ = 1'000'000'000;
  MakeSlot(kAnswerAndStay);
  slot_->Start(Job("a"));
  slot_->Stop();
  EXPECT_FALSE(AwaitEnd().has_value());
}

TEST_F(SlotTest, WhileTheCoordinatorIsAwayTransfersAreRepeated) {
  failing_downloads_ = 20;
  MakeSlot(kAnswerAndStay, {Trained()});
  slot_->Start(Job("a"));
  EXPECT_TRUE(AwaitEnd()->has_result());
  EXPECT_EQ(downloads_, 21);
}

TEST_F(SlotTest, AnInputThatIsNotThereIsAFailureThatNamesIt) {
  failing_downloads_ = 1'000'000'000;
  download_error_ = absl::NotFoundError("no such artifact");
  MakeSlot(kAnswerAndStay);
  slot_->Start(Job("a"));
  const Ended ended = AwaitEnd();
  EXPECT_EQ(ended->failure().kind(), "deterministic");
  EXPECT_THAT(ended->failure().reason(), HasSubstr("fetch the dataset " + kSha256));
  EXPECT_THAT(ended->failure().reason(), HasSubstr("no such artifact"));
}

TEST_F(SlotTest, ADeterministicFailureReadsFreshInputsNextTime) {
  MakeSlot(kAnswerAndStay, {Failed("deterministic")});
  slot_->Start(Job("a"));
  EXPECT_EQ(AwaitEnd()->failure().reason(), "because");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cache" / "dataset" / kSha256));
}

}  // namespace
}  // namespace roar::agent
