// `roar doctor` on states and coordinators that are real.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/program.h"
#include "tests/support/temporary_folder.h"

namespace roar::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Doctor : public testing::Test {
 protected:
  // Leaves a folder with state, and no coordinator.
  void SetUp() override {
    ASSERT_EQ(RunProgram("roar", {"server", "start", "--state", state_}).exit_status, 0);
    ASSERT_EQ(RunProgram("roar", {"server", "stop", "--state", state_}).exit_status, 0);
  }
  void TearDown() override { RunProgram("roar", {"server", "stop", "--state", state_}); }

  // The verdict of one check.
  json Check(const std::string& name, int exit_status) {
    const Output output = RunProgram("roar", {"doctor", "--state", state_, "--json"});
    EXPECT_EQ(output.exit_status, exit_status) << output.standard_output << output.standard_error;
    const json found = json::parse(output.standard_output);
    for (const json& check : found.at("checks")) {
      if (check.at("check") == name) return check;
    }
    ADD_FAILURE() << "no check of " << name << ": " << output.standard_output;
    return {};
  }

  const TemporaryFolder folder_;
  const std::string state_ = (folder_.path() / "state").string();
};

TEST_F(Doctor, FindsNothingWrongWithASoundState) {
  const json stopped = Check("coordinator", 0);
  EXPECT_EQ(stopped.at("verdict"), "ok");
  EXPECT_THAT(stopped.at("detail").get<std::string>(), HasSubstr("started for this"));
  for (const char* program : {"roard", "roar-worker", "roar-runner"}) EXPECT_EQ(Check(program, 0).at("verdict"), "ok");
}

TEST_F(Doctor, TellsOfAStateThatANewerProgramWrote) {
  // SQLite's user_version: four bytes at 60, the most significant first.
  std::fstream database(state_ + "/control.db", std::ios::in | std::ios::out | std::ios::binary);
  database.seekp(60);
  database.write("\0\0\0\x63", 4);
  database.close();
  const json check = Check("coordinator", 9);
  EXPECT_EQ(check.at("verdict"), "problem");
  EXPECT_THAT(check.at("detail").get<std::string>(), HasSubstr("schema version 99"));
}

TEST_F(Doctor, TellsOfAnAccessFileThatOthersCanRead) {
  chmod((state_ + "/access.json").c_str(), 0644);
  const json check = Check("access file", 9);
  EXPECT_EQ(check.at("verdict"), "problem");
  EXPECT_THAT(check.at("remedy").get<std::string>(), HasSubstr("chmod 600"));
}

}  // namespace
}  // namespace roar::e2e
