#include <CLI/CLI.hpp>
#include <iostream>

#include "proto/transport/framing.h"
#include "worker/runner/serve.h"

// Started by roar-worker with a socket at descriptor 3; not for people.
int main(int argc, char** argv) {
  constexpr int kAgentSocket = 3;
  CLI::App app("Trains and explains models for roar-worker, which starts it.", "roar-runner");
  int threads = 1;
  bool describe = false;
  app.set_version_flag("--version", ROAR_VERSION);
  app.add_option("--threads", threads, "CPU threads")->check(CLI::PositiveNumber);
  app.add_flag("--describe", describe, "Send what this runner computes with, then end");
  CLI11_PARSE(app, argc, argv);

  roar::runner::DieWithAgent();
  roar::ml::SetUpThreads(threads);
  roar::runner::JobRunner runner(threads);
  const absl::Status served = describe ? roar::WriteFrame(kAgentSocket, roar::runner::DescribeRunner(threads))
                                       : roar::runner::ServeJobs(kAgentSocket, runner);
  if (!served.ok()) std::cerr << "roar-runner: " << served.message() << "\n";
  return served.ok() ? 0 : 1;
}
