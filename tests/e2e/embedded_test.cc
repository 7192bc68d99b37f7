// `roar run`: one command that starts, supervises and resumes everything on this machine.

#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class EmbeddedTest : public testing::Test {
 protected:
  EmbeddedTest() : state_((folder_.path() / "state").string()), sweep_((folder_.path() / "sweep.yaml").string()) {
    std::ofstream(sweep_) << SmallSweep();
  }
  ~EmbeddedTest() override {
    for (pid_t left : ProcessesWith(state_)) kill(left, SIGKILL);
  }

  std::vector<std::string> RunArguments() const { return {"run", sweep_, "--state", state_, "--slots", "2", "--json"}; }

  // Of one of the programs that the run started.
  std::vector<pid_t> Started(const std::string& name) const {
    std::vector<pid_t> found;
    for (pid_t pid : ProcessesWith(state_)) {
      std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
      std::string comm;
      if (std::getline(file, comm) && comm == name) found.push_back(pid);
    }
    return found;
  }

  // Results are printed to `out`, apart from progress.
  json ResultsIn(const std::string& name) const {
    std::ifstream file(folder_.path() / name);
    return json::parse(file);
  }

  int JobsDone() const {
    const Output output = RunProgram("roar", {"show", "1", "--state", state_, "--json"});
    return output.exit_status != 0 ? 0 : json::parse(output.standard_output).at("jobs").at("succeeded").get<int>();
  }

  json Undisturbed() const {
    const Output output = RunProgram(
        "roar", {"run", sweep_, "--state", (folder_.path() / "undisturbed").string(), "--slots", "2", "--json"}, 300);
    EXPECT_EQ(output.exit_status, 0) << output.standard_error;
    return json::parse(output.standard_output).at("curves");
  }

  TemporaryFolder folder_;
  std::string state_;
  std::string sweep_;
};

TEST_F(EmbeddedTest, GoesOnWhenItsProgramsAreKilledAndLeavesNothingRunning) {
  const json undisturbed = Undisturbed();
  Program run("roar", RunArguments(), folder_.path() / "out", folder_.path() / "err");
  int wanted = 3;
  for (const std::string victim : {"roard", "roar-worker", "roar-runner", "roard"}) {
    ASSERT_TRUE(WaitUntil(120, [&] { return JobsDone() >= wanted; }));
    const std::vector<pid_t> victims = victim == "roar-runner" && !Started("roar-worker").empty()
                                           ? ChildrenOf(Started("roar-worker")[0])
                                           : Started(victim);
    ASSERT_FALSE(victims.empty()) << victim;
    kill(victims[0], SIGKILL);
    wanted += 3;
  }
  ASSERT_EQ(run.Wait(300), 0);
  EXPECT_EQ(ResultsIn("out").at("curves"), undisturbed);
  EXPECT_TRUE(WaitUntil(60, [&] { return ProcessesWith(state_).empty(); })) << "something was left running";
}

TEST_F(EmbeddedTest, RunningTheFileAgainAfterAPowerCutResumes) {
  const json undisturbed = Undisturbed();
  {
    Program run("roar", RunArguments(), folder_.path() / "out", folder_.path() / "err");
    ASSERT_TRUE(WaitUntil(120, [&] { return JobsDone() >= 5; }));
    run.Signal(SIGKILL);
    for (pid_t pid : ProcessesWith(state_)) kill(pid, SIGKILL);
    run.Wait(10);
  }
  const Output again = RunProgram("roar", RunArguments(), 300);
  ASSERT_EQ(again.exit_status, 0) << again.standard_error;
  EXPECT_THAT(again.standard_error, HasSubstr("resumed"));
  EXPECT_EQ(json::parse(again.standard_output).at("curves"), undisturbed);

  // A third time there is nothing to do, and the answer is the same.
  const Output known = RunProgram("roar", RunArguments(), 60);
  ASSERT_EQ(known.exit_status, 0) << known.standard_error;
  EXPECT_EQ(json::parse(known.standard_output).at("curves"), undisturbed);
}

TEST_F(EmbeddedTest, TwoAtOnceAreOneSweep) {
  Program first("roar", RunArguments(), folder_.path() / "out", folder_.path() / "err");
  Program second("roar", RunArguments(), folder_.path() / "out2", folder_.path() / "err2");
  ASSERT_EQ(first.Wait(300), 0);
  ASSERT_EQ(second.Wait(300), 0);
  EXPECT_EQ(ResultsIn("out").at("curves"), ResultsIn("out2").at("curves"));
  EXPECT_EQ(json::parse(RunProgram("roar", {"list", "--state", state_, "--json"}).standard_output).at("sweeps").size(),
            1u);
}

// Two links of a chain that needs no model, for both seeds together.
TEST_F(EmbeddedTest, MutualInformationIsExplainedOnceForAllSeeds) {
  std::ofstream(sweep_) << "name: words\ndatasets: [babi-gen-1]\nmeasures: [mutual_information]\nratios: [30, 60]\n"
                           "seeds: 2\ntraining: {epochs: 1}\ndata: {babi-gen-1: {train: 100, test: 20}}\n";
  ASSERT_EQ(RunProgram("roar", RunArguments(), 300).exit_status, 0);
  const Output listed = RunProgram("roar", {"job", "list", "--state", state_, "--json"});
  std::vector<std::string> explanations;
  const json jobs = json::parse(listed.standard_output).at("jobs");
  for (const json& job : jobs) {
    const std::string description = job.at("description");
    if (description.starts_with("explain")) explanations.push_back(description);
  }
  EXPECT_THAT(explanations, testing::UnorderedElementsAre(
                                "explain mutual_information of babi-gen-1 unmasked",
                                "explain mutual_information of babi-gen-1 recursive mutual_information 30 %"));
}

TEST_F(EmbeddedTest, AStopIsObeyedByTheRunThatWatches) {
  Program run("roar", RunArguments(), folder_.path() / "out", folder_.path() / "err");
  ASSERT_TRUE(WaitUntil(120, [&] { return JobsDone() >= 1; }));
  ASSERT_EQ(RunProgram("roar", {"server", "stop", "--state", state_}).exit_status, 0);
  EXPECT_EQ(run.Wait(60), 3);
  std::ifstream err(folder_.path() / "err");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(err), {}), HasSubstr("the coordinator was stopped"));
  EXPECT_TRUE(WaitUntil(60, [&] { return ProcessesWith(state_).empty(); })) << "something was left running";
  EXPECT_EQ(RunProgram("roar", RunArguments(), 300).exit_status, 0) << "the same command goes on";
}

TEST_F(EmbeddedTest, ACoordinatorThatTakesAnothersPlaceIsJoined) {
  Program run("roar", RunArguments(), folder_.path() / "out", folder_.path() / "err");
  ASSERT_TRUE(WaitUntil(120, [&] { return JobsDone() >= 1; }));
  const Output started = RunProgram("roar", {"server", "start", "--state", state_, "--json"});
  ASSERT_EQ(started.exit_status, 0) << started.standard_error;
  EXPECT_EQ(run.Wait(300), 0);
  const Output info = RunProgram("roar", {"server", "info", "--state", state_, "--json"});
  const char* const pid = "process_id";
  EXPECT_EQ(json::parse(info.standard_output).at(pid), json::parse(started.standard_output).at(pid));
  RunProgram("roar", {"server", "stop", "--state", state_});
}

TEST_F(EmbeddedTest, CtrlCDetachesAndTheSweepGoesOn) {
  Program run("roar", RunArguments(), folder_.path() / "out", folder_.path() / "err");
  ASSERT_TRUE(WaitUntil(120, [&] { return JobsDone() >= 1; }));
  run.Signal(SIGINT);
  EXPECT_EQ(run.Wait(30), 130);
  EXPECT_EQ(RunProgram("roar", {"wait", "1", "--state", state_}, 300).exit_status, 0);
}

}  // namespace
}  // namespace roar::e2e
