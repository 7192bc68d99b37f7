#include "client/address.h"
#include "client/commands/commands.h"
#include "client/commands/server_control.h"
#include "client/output/report.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Starts a coordinator that stays, in the background. One that runs for the same state folder is replaced: nothing "
    "is "
    "lost, workers and watchers connect again. Without --listen only this machine reaches it, by a Unix socket. Its "
    "access file lets workers and clients of other machines in; copy it there.\n\n"
    "Examples:\n"
    "  roar server start\n"
    "  roar server start --listen 0.0.0.0:7777 --http 127.0.0.1:9090\n"
    "  roar-worker --access access.json --slots 8";

absl::Status CheckTcpAddress(const std::string& address) {
  if (address.empty()) return absl::OkStatus();
  return ParseAddress(address).status();
}

absl::StatusOr<ExitCode> Start(const CommandContext& context, const CoordinatorOptions& options) {
  if (!context.target.MayStart()) {
    return absl::InvalidArgumentError("server start works on this machine; give --state DIR, not --access or --server");
  }
  for (const std::string& address : {options.listen_address, options.http_address}) {
    if (absl::Status status = CheckTcpAddress(address); !status.ok()) return status;
  }
  const absl::StatusOr<Coordinator> before = Join(context.target);
  if (before.ok()) {
    if (absl::Status status = ShutDown(context.target, *before); !status.ok()) return status;
  } else if (!absl::IsUnavailable(before.status())) {
    return before.status();
  }
  const absl::StatusOr<JoinedCoordinator> started = StartCoordinator(context.target, options);
  if (!started.ok()) return started.status();
  const auto info = GetServerInfo(started->coordinator);
  if (!info.ok()) return info.status();
  context.output.Result(output::ServerReport(*info), output::ServerInfoJson(*info));
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<CoordinatorOptions>();
  options->leaves_when_idle = false;
  app.add_option("--listen", options->listen_address, "HOST:PORT for clients and workers, with TLS");
  app.add_option("--http", options->http_address, "HOST:PORT of /metrics and /healthz, over TLS");
  return [options](const CommandContext& context) { return Start(context, *options); };
}

}  // namespace

Command ServerStartCommand() { return {"server", "start", "Start a coordinator that stays", kDetails, Define}; }

}  // namespace roar
