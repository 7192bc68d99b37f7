#include "client/application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/state_folder.h"
#include "proto/transport/access_file.h"
#include "tests/support/run_roar.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"

namespace roar {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ApplicationTest, HelpAndVersionSucceed) {
  const RoarOutcome help = RunRoar({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.output, HasSubstr("Start here:"));
  EXPECT_EQ(help.errors, "");
  EXPECT_THAT(RunRoar({"--version"}).output, StartsWith("roar "));
}

// {what was typed, what the line on standard error must say}.
TEST(ApplicationTest, AMisspeltWordIsToldWithTheNearestKnownOne) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> slips = {
      {{"reslts"}, "unknown command or argument \"reslts\"; did you mean results?; see roar --help"},
      {{"data", "improt"}, "unknown command or argument \"improt\"; did you mean import?; see roar data --help"},
      {{"run", "a.yaml", "--slot", "2"}, "did you mean --slots?; see roar run --help"},
      {{"list", "--jsn"}, "did you mean --json?; see roar list --help"}};
  for (const auto& [words, message] : slips) {
    const RoarOutcome outcome = RunRoar(words);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(words);
    EXPECT_THAT(outcome.errors, HasSubstr(message));
  }
}

TEST(ApplicationTest, MistakesOfUsageAreExitCode2AndALineOnStandardError) {
  const std::vector<std::vector<std::string>> mistakes = {
      {},
      {"frobnicate"},
      {"run"},
      {"run", "a.yaml", "--slots", "0"},
      {"list", "--bogus"},
      {"completion", "bash", "--json"},
      {"data"},
      {"wait", "--timeout", "-1"},
      {"wait", "--timeout", "0"},
      {"wait", "--timeout", "nan"},
      {"wait", "--timeout", "inf"},
      {"wait", "--timeout", "soon"},
      {"list", "--state", "/x", "--access", "/y"},
      {"list", "--server", "::1"},
      {"submit", "a.yaml", "--server", "localhost"},
  };
  for (const auto& words : mistakes) {
    const RoarOutcome outcome = RunRoar(words);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(words);
    EXPECT_EQ(outcome.output, "") << testing::PrintToString(words);
    EXPECT_THAT(outcome.errors, StartsWith("roar: ")) << testing::PrintToString(words);
    EXPECT_LT(outcome.errors.size(), 200u) << outcome.errors;
  }
}

TEST(ApplicationTest, ACoordinatorElsewhereIsNeverStarted) {
  const TemporaryFolder folder;
  const RoarOutcome missing = RunRoar({"list", "--access", (folder.path() / "access.json").string()});
  EXPECT_EQ(missing.exit_code, 4);
  const RoarOutcome stop = RunRoar({"server", "stop", "--state", folder.path().string()});
  EXPECT_EQ(stop.exit_code, 3);
  EXPECT_THAT(stop.errors, HasSubstr(absl::StrCat("no coordinator runs for ", folder.path().string())));
}

// As after kill -9: the access file is there, and nobody listens.
TEST(ApplicationTest, ACoordinatorThatIsGoneIsNotStopped) {
  const TemporaryFolder folder;
  v1::Access access;
  access.set_local_address(absl::StrCat("unix:", (folder.path() / "socket").string()));
  access.set_address(access.local_address());
  access.set_token("token");
  ASSERT_TRUE(WriteAccessFile(AccessFileOf(folder.path()), access).ok());
  const RoarOutcome stop = RunRoar({"server", "stop", "--state", folder.path().string()});
  EXPECT_EQ(stop.exit_code, 3);
  EXPECT_EQ(stop.errors,
            absl::StrCat("roar: no coordinator runs for ", folder.path().string(), ": there is none to stop\n"));
}

TEST(ApplicationTest, GlobalOptionsMayStandBeforeAndAfterTheCommand) {
  const TemporaryFolder folder;
  EXPECT_EQ(RunRoar({"--state", folder.path().string(), "server", "stop"}).exit_code, 3);
  EXPECT_EQ(RunRoar({"server", "--state", folder.path().string(), "stop"}).exit_code, 3);
}

TEST(ApplicationTest, WhatNeedsNoCoordinatorNeedsNoStateFolder) {
  const ShellOutcome without_home =
      RunShell(absl::StrCat("env -u HOME -u XDG_STATE_HOME ", ROAR_BINARY_DIR, "/roar completion bash"));
  EXPECT_EQ(without_home.exit_status, 0);
  EXPECT_THAT(without_home.output, HasSubstr("complete -F _roar roar"));
  EXPECT_EQ(RunShell(absl::StrCat("env -u HOME -u XDG_STATE_HOME ", ROAR_BINARY_DIR, "/roar list 2>&1")).exit_status,
            2);
}

TEST(ApplicationTest, ASweepFileIsReadBeforeAnythingIsStarted) {
  const TemporaryFolder folder;
  const RoarOutcome outcome =
      RunRoar({"run", (folder.path() / "none.yaml").string(), "--state", folder.path().string()});
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "logs"));
}

}  // namespace
}  // namespace roar
