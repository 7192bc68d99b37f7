#include "tests/e2e/installation.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace roar::e2e {

Installation::Installation(double lease_ttl_seconds) : lease_ttl_seconds_(lease_ttl_seconds) {}

void Installation::StartCoordinator() {
  coordinator_.reset();
  coordinator_ = std::make_unique<Program>("roard",
                                           std::vector<std::string>{"--state", (folder() / "state").string(),
                                                                    "--lease-ttl", std::to_string(lease_ttl_seconds_)},
                                           folder() / "coordinator.log");
  const bool is_up = WaitUntil(20, [this] { return Roar({"server", "info"}).exit_status == 0; });
  if (!is_up) throw std::runtime_error("the coordinator did not come up");
}

void Installation::StartAgent() {
  agent_.reset();
  agent_ = std::make_unique<Program>("roar-worker",
                                     std::vector<std::string>{"--access", access_file().string(), "--slots", "2",
                                                              "--name", "w1", "--cache", (folder() / "cache").string()},
                                     folder() / "agent.log");
}

Output Installation::Roar(std::vector<std::string> arguments, double seconds_most) {
  arguments.insert(arguments.end(), {"--access", access_file().string()});
  return Run("roar", arguments, seconds_most);
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
  std::ifstream file(folder() / "agent.log");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string SmallSweep() {
  return R"(name: small
datasets: [babi-gen-1]
measures: [attention, gradient]
strategies: [roar, recursive]
ratios: [30, 60]
seeds: 2
training: {epochs: 3, batch_size: 50}
data:
  babi-gen-1: {train: 1000, test: 200, seed: 7}
)";
}

}  // namespace roar::e2e
