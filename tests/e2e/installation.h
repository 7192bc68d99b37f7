#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/e2e/program.h"
#include "tests/support/temporary_folder.h"

namespace roar::e2e {

// A coordinator and one agent of two slots in a folder of their own, started, killed and started again by the test.
class Installation {
 public:
  // Leases live for `lease_ttl_seconds`.
  explicit Installation(double lease_ttl_seconds = 2);

  void StartCoordinator();
  void StartAgent();
  Program& coordinator() { return *coordinator_; }
  Program& agent() { return *agent_; }
  // The agent's runners.
  std::vector<pid_t> Runners() { return ChildrenOf(agent_->pid()); }

  // `roar ARGUMENTS --access ...`; `--json` is up to the caller.
  Output Roar(std::vector<std::string> arguments, double seconds_most = 120);
  // The same with --json, parsed; throws when the command fails.
  nlohmann::json RoarJson(std::vector<std::string> arguments);

  // Submits the sweep file of this text; returns its number.
  int Submit(const std::string& sweep_yaml);

  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path access_file() const { return folder() / "state" / "access.json"; }
  // All that the agent said so far.
  std::string AgentLog() const;

 private:
  TemporaryFolder folder_;
  double lease_ttl_seconds_;
  std::unique_ptr<Program> coordinator_;
  std::unique_ptr<Program> agent_;
};

// A sweep of small real jobs: generated bAbI-1, both measures, both strategies; a few seconds of work.
std::string SmallSweep();

}  // namespace roar::e2e
