// kill -9 of coordinator, agent and runner at random moments of staging, training, explaining and uploading, with the
// real programs: the sweep goes on, what had succeeded is not run again, and the curves are those of an undisturbed run
// to the bit.

#include <gmock/gmock.h>
#include <signal.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using nlohmann::json;

// Enough work for every kill to have its turn.
constexpr int kSeeds = 6;

enum class Victim { kCoordinator, kAgent, kRunner };

struct Round {
  Victim victim;
  std::string phase;
};

const std::vector<Round>& Rounds() {
  static const std::vector<Round> kRounds = [] {
    std::vector<Round> rounds;
    for (const std::string phase : {"explaining", "staging", "training", "uploading"}) {
      for (Victim victim : {Victim::kCoordinator, Victim::kAgent, Victim::kRunner}) rounds.push_back({victim, phase});
    }
    return rounds;
  }();
  return kRounds;
}

// Starts of every job that has succeeded, by key.
std::map<std::string, int> StartsOfSucceeded(Installation& installation) {
  std::map<std::string, int> starts;
  const json list = installation.RoarJson({"job", "list", "1"});
  for (const json& job : list.at("jobs")) {
    if (job.at("state") == "succeeded") starts[job.at("key")] = job.at("starts");
  }
  return starts;
}

json Curves(Installation& installation) { return installation.RoarJson({"results", "1"}).at("curves"); }

json RunUndisturbed() {
  Installation installation;
  installation.StartCoordinator();
  installation.StartAgent();
  installation.Submit(SmallSweep(kSeeds));
  EXPECT_EQ(installation.Roar({"wait", "1"}, 300).exit_status, 0);
  return Curves(installation);
}

void Kill(Installation& installation, Victim victim) {
  switch (victim) {
    case Victim::kCoordinator:
      installation.coordinator().Signal(SIGKILL);
      installation.coordinator().Wait(10);
      installation.StartCoordinator();
      return;
    case Victim::kAgent:
      installation.agent().Signal(SIGKILL);
      installation.agent().Wait(10);
      installation.StartAgent();
      return;
    case Victim::kRunner: {
      const std::vector<pid_t> runners = installation.Runners();
      EXPECT_FALSE(runners.empty());
      for (pid_t runner : runners) kill(runner, SIGKILL);
      return;
    }
  }
}

bool IsFinished(Installation& installation) { return installation.RoarJson({"show", "1"}).at("state") != "running"; }

// Waits for the agent to say that a job entered the phase; false when the sweep ended first.
bool AwaitPhase(Installation& installation, const std::string& phase) {
  const std::size_t seen = installation.AgentLog().size();
  int polls = 0;
  bool is_finished = false;
  WaitUntil(60, [&] {
    if (installation.AgentLog().find(": " + phase, seen) != std::string::npos) return true;
    if (++polls % 100 == 0) is_finished = IsFinished(installation);
    return is_finished;
  });
  return !is_finished;
}

TEST(Kill, AtAnyMomentLosesNothingAndChangesNoCurve) {
  const json undisturbed = RunUndisturbed();
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("random seed " + std::to_string(seed));
  std::mt19937 random(seed);

  Installation installation;
  installation.StartCoordinator();
  installation.StartAgent();
  installation.Submit(SmallSweep(kSeeds));
  std::map<std::string, int> starts_when_succeeded;
  std::size_t rounds_done = 0;
  for (const Round& round : Rounds()) {
    if (!AwaitPhase(installation, round.phase)) break;
    SleepSeconds(std::uniform_real_distribution<double>(0, 0.05)(random));
    Kill(installation, round.victim);
    ++rounds_done;
    starts_when_succeeded.merge(StartsOfSucceeded(installation));
  }
  ASSERT_EQ(installation.Roar({"wait", "1"}, 300).exit_status, 0);

  EXPECT_EQ(rounds_done, Rounds().size()) << "the sweep was over before every kind of kill had its turn";
  const std::map<std::string, int> starts = StartsOfSucceeded(installation);
  for (const auto& [key, count] : starts_when_succeeded) {
    EXPECT_EQ(starts.at(key), count) << "job " << key << " ran again after it had succeeded";
  }
  EXPECT_EQ(Curves(installation), undisturbed);
}

}  // namespace
}  // namespace roar::e2e
