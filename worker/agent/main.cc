#include <signal.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/signalfd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "proto/transport/channel.h"
#include "worker/agent/agent.h"
#include "worker/agent/defaults.h"

namespace {

// Blocks the signals that end a worker, in this and all later threads, and returns the descriptor they arrive at.
int ReceiveStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

// The exit codes of all of Roar's programs.
int ExitCode(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 0;
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kInvalidArgument:
      return 2;
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kPermissionDenied:
      return 6;
    case absl::StatusCode::kFailedPrecondition:
      return 7;
    default:
      return 9;
  }
}

int Fail(const absl::Status& status) {
  spdlog::error("{}", std::string(status.message()));
  return ExitCode(status);
}

}  // namespace

int main(int argc, char** argv) {
  roar::SilenceGrpcLog();
  roar::agent::AgentOptions options = {.name = roar::agent::DefaultWorkerName(),
                                       .cache_folder = roar::agent::DefaultCacheFolder(),
                                       .runner_program = roar::agent::BesideThisProgram("roar-runner")};
  double idle_exit_seconds = 0;
  CLI::App app("Offers this machine to a Roar coordinator and does its jobs.", "roar-worker");
  app.set_version_flag("--version", ROAR_VERSION);
  app.add_option("--access", options.access_path, "The coordinator's access file")->required();
  app.add_option("--server", options.server_address, "Its address, where the access file's does not lead to it");
  app.add_option("--slots", options.slots, "Jobs at a time")->required()->check(CLI::Range(1, 1024));
  app.add_option("--name", options.name, "The worker's name, unique among the coordinator's")
      ->capture_default_str()
      ->check(CLI::Validator(
          [](const std::string& name) {
            return roar::agent::IsWorkerName(name) ? "" : "letters, digits, '.', '_' and '-' only";
          },
          "NAME"));
  app.add_option("--cache", options.cache_folder, "Folder for data, checkpoints and logs")->capture_default_str();
  app.add_option("--threads-per-slot", options.threads_per_slot, "CPU threads of a job")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  CLI::Option* idle_exit =
      app.add_option("--idle-exit", idle_exit_seconds, "End after so many seconds without work or coordinator")
          ->check(CLI::PositiveNumber);
  app.add_option("--runner", options.runner_program, "The program that trains")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (idle_exit->count() > 0) options.idle_exit = absl::Seconds(idle_exit_seconds);

  spdlog::set_default_logger(spdlog::stderr_color_mt("roar-worker"));
  const int stop_signals = ReceiveStopSignals();
  auto agent = roar::agent::Agent::Create(std::move(options));
  if (!agent.ok()) return Fail(agent.status());
  const absl::Status ended = (*agent)->Run(stop_signals);
  const int exit_code = ended.ok() ? 0 : Fail(ended);
  // A transfer that waits for the network would hold up the end; it leaves nothing half done.
  if (!(*agent)->AllSlotsFree()) std::_Exit(exit_code);
  return exit_code;
}
