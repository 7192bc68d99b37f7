#include "tests/e2e/installation.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "proto/transport/access_file.h"

namespace roar::e2e {

Installation::Installation(InstallationOptions options) : options_(std::move(options)) {}

void Installation::StartCoordinator() {
  coordinator_.reset();
  std::filesystem::remove(state() / "access.json");
  std::vector<std::string> arguments = {"--state", state().string(), "--lease-ttl",
                                        std::to_string(options_.lease_ttl_seconds)};
  if (!options_.listen.empty()) arguments.insert(arguments.end(), {"--listen", options_.listen});
  if (!options_.http.empty()) arguments.insert(arguments.end(), {"--http", options_.http});
  coordinator_ = std::make_unique<Program>("roard", arguments, folder() / "coordinator.log");
  const bool is_up = WaitUntil(20, [this] { return GiveAccess() && Roar({"server", "info"}).exit_status == 0; });
  if (!is_up) throw std::runtime_error("the coordinator did not come up");
}

bool Installation::GiveAccess() {
  absl::StatusOr<v1::Access> access = ReadAccessFile(state() / "access.json");
  if (!access.ok()) return false;
  if (!options_.listen.empty()) access->clear_local_address();
  return WriteAccessFile(access_file(), *access).ok();
}

void Installation::StartAgent(const std::string& name) {
  agents_.erase(name);
  agents_[name] =
      std::make_unique<Program>("roar-worker",
                                std::vector<std::string>{"--access", access_file().string(), "--slots", "2", "--name",
                                                         name, "--cache", (folder() / ("cache-" + name)).string()},
                                folder() / ("agent-" + name + ".log"));
}

Output Installation::Roar(std::vector<std::string> arguments, double seconds_most) {
  arguments.insert(arguments.end(), {"--access", access_file().string()});
  return RunProgram("roar", arguments, seconds_most);
}

nlohmann::json Installation::RoarJson(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Output output = Roar(arguments);
  if (output.exit_status != 0) throw std::runtime_error("roar " + arguments[0] + ": " + output.standard_error);
  return nlohmann::json::parse(output.standard_output);
}

int Installation::Submit(const std::string& sweep_yaml) {
  const std::filesystem::path file = folder() / "sweep.yaml";
  std::ofstream(file) << sweep_yaml;
  return RoarJson({"submit", file.string()}).at("sweep_id").get<int>();
}

std::string Installation::AgentLog() const {
  std::ifstream file(folder() / "agent-w1.log");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string SmallSweep(int seeds) {
  return R"(name: small
datasets: [babi-gen-1]
measures: [attention, gradient]
strategies: [roar, recursive]
ratios: [30, 60]
training: {epochs: 2, batch_size: 50}
data:
  babi-gen-1: {train: 300, test: 60, seed: 7}
seeds: )" +
         std::to_string(seeds) + "\n";
}

}  // namespace roar::e2e
