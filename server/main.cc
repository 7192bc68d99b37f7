#include <signal.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "proto/transport/channel.h"
#include "server/daemon.h"

namespace {

std::string DefaultStateFolder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state != '\0') {
    return std::string(state) + "/roar";
  }
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.local/state/roar";
}

// Before any thread starts: signals are taken by Daemon::Wait, and a client that went away is no reason to end.
void PrepareProcess() {
  umask(077);
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  spdlog::set_default_logger(spdlog::stderr_logger_mt("roard"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
}

}  // namespace

int main(int argc, char** argv) {
  roar::SilenceGrpcLog();
  PrepareProcess();
  std::string state = DefaultStateFolder();
  roar::server::DaemonOptions options;
  double lease_ttl_seconds = 60, idle_exit_seconds = 0;
  CLI::App app("Coordinator of Roar: plans sweeps, leases their jobs to workers and keeps the results.", "roard");
  app.set_version_flag("--version", ROAR_VERSION);
  app.add_option("--state", state, "Folder of all that is remembered; made where it is missing")->capture_default_str();
  app.add_option("--listen", options.listen, "HOST:PORT for workers and clients of other machines, over TLS");
  app.add_option("--http", options.http, "HOST:PORT of /metrics and /healthz, over TLS");
  app.add_option("--lease-ttl", lease_ttl_seconds, "Seconds after which a silent worker loses its jobs")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  CLI::Option* idle_exit = app.add_option("--idle-exit", idle_exit_seconds,
                                          "End after so many seconds without a client's call and without work")
                               ->check(CLI::NonNegativeNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == 0;
    app.exit(error);
    return asked_for_help ? 0 : 2;
  }
  options.state = state;
  options.lease_ttl = absl::Seconds(lease_ttl_seconds);
  if (*idle_exit) options.idle_exit = absl::Seconds(idle_exit_seconds);

  absl::StatusOr<std::unique_ptr<roar::server::Daemon>> daemon = roar::server::Daemon::Start(options);
  if (!daemon.ok()) {
    spdlog::error("{}", std::string(daemon.status().message()));
    return roar::server::ExitCode(daemon.status());
  }
  (*daemon)->Wait();
  return 0;
}
