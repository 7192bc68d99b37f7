#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/e2e/program.h"
#include "tests/support/temporary_folder.h"

namespace roar::e2e {

struct InstallationOptions {
  double lease_ttl_seconds = 2;
  // Addresses for TLS over TCP, as `roard` takes them; empty for the Unix socket alone.
  std::string listen;
  std::string http;
};

// A coordinator and agents of two slots in a folder of their own, started, killed and started again by the test.
class Installation {
 public:
  explicit Installation(InstallationOptions options = {});

  void StartCoordinator();
  // Its access file is a copy without the Unix socket when the coordinator listens on TCP: as on another machine.
  void StartAgent(const std::string& name = "w1");
  Program& coordinator() { return *coordinator_; }
  Program& agent(const std::string& name = "w1") { return *agents_.at(name); }
  // The agent's runners.
  std::vector<pid_t> Runners() { return ChildrenOf(agent().pid()); }

  // `roar ARGUMENTS --access ...`; `--json` is up to the caller.
  Output Roar(std::vector<std::string> arguments, double seconds_most = 120);
  // The same with --json, parsed; throws when the command fails.
  nlohmann::json RoarJson(std::vector<std::string> arguments);

  // Submits the sweep file of this text; returns its number.
  int Submit(const std::string& sweep_yaml);

  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path state() const { return folder() / "state"; }
  // What clients and agents are given.
  std::filesystem::path access_file() const { return folder() / "access.json"; }
  // All that the agent said so far.
  std::string AgentLog() const;

 private:
  // Copies the coordinator's access file, once it is there.
  bool GiveAccess();

  TemporaryFolder folder_;
  InstallationOptions options_;
  std::unique_ptr<Program> coordinator_;
  std::map<std::string, std::unique_ptr<Program>> agents_;
};

// A sweep of small real jobs: generated bAbI-1, both measures, both strategies; 14 jobs a seed, some seconds of work.
std::string SmallSweep(int seeds = 2);

}  // namespace roar::e2e
