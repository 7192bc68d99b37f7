#include "client/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "tests/support/temporary_folder.h"

namespace roar {
namespace {

class ChildProcessTest : public testing::Test {
 protected:
  ChildProcess StartShell(const std::string& script) {
    auto child = ChildProcess::Start({.program = "/bin/sh", .arguments = {"-c", script}, .log_file = log_file()});
    EXPECT_TRUE(child.ok()) << child.status();
    return *std::move(child);
  }
  std::filesystem::path log_file() const { return folder_.path() / "log"; }

 private:
  TemporaryFolder folder_;
};

void AwaitEnd(ChildProcess& child) {
  while (child.IsRunning()) absl::SleepFor(absl::Milliseconds(1));
}

TEST_F(ChildProcessTest, OutputGoesToTheLogAndAFailureIsTold) {
  ChildProcess child = StartShell("echo first; echo last >&2; exit 3");
  AwaitEnd(child);
  EXPECT_TRUE(child.HasFailed());
  EXPECT_EQ(LastLogLine(log_file()), "last");
}

TEST_F(ChildProcessTest, SuccessAndSignalsAreNoFailures) {
  ChildProcess succeeded = StartShell("exit 0");
  AwaitEnd(succeeded);
  EXPECT_FALSE(succeeded.HasFailed());
  ChildProcess killed = StartShell("kill -9 $$");
  AwaitEnd(killed);
  EXPECT_FALSE(killed.HasFailed());
}

TEST_F(ChildProcessTest, ItLeadsASessionOfItsOwn) {
  ChildProcess child = StartShell("test \"$(ps -o sid= -p $$ | tr -d ' ')\" = $$ && echo own");
  AwaitEnd(child);
  EXPECT_EQ(LastLogLine(log_file()), "own");
}

TEST_F(ChildProcessTest, StopEndsAlsoOneThatDoesNotListen) {
  ChildProcess child = StartShell("trap '' TERM; echo ready; while true; do sleep 0.01; done");
  while (LastLogLine(log_file()) != "ready") absl::SleepFor(absl::Milliseconds(1));
  child.Stop(absl::Milliseconds(50));
  EXPECT_FALSE(child.IsRunning());
}

TEST_F(ChildProcessTest, AProgramThatIsNotThereIsNotFound) {
  const auto child = ChildProcess::Start({.program = "/no/such/program", .log_file = log_file()});
  EXPECT_TRUE(absl::IsNotFound(child.status())) << child.status();
}

}  // namespace
}  // namespace roar
