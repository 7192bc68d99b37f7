#include "client/address.h"
#include "client/commands/commands.h"
#include "client/commands/server_control.h"
#include "client/output/report.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Starts a coordinator that stays, in the background. One that runs for the same state folder is replaced: "
    "nothing is lost, workers and watchers connect again.\n"
    "Without --listen only this machine reaches it, by a Unix socket. Its access file lets workers and clients "
    "of other machines in; copy it there.";

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
  app.add_option("--listen", options->listen_address, "HOST:PORT for clients and workers, with TLS")
      ->type_name("ADDRESS");
  app.add_option("--http", options->http_address, "HOST:PORT of /metrics and /healthz, over TLS")->type_name("ADDRESS");
  return [options](const CommandContext& context) { return Start(context, *options); };
}

}  // namespace

Command ServerStartCommand() {
  return {
      .group = "server",
      .name = "start",
      .summary = "Start a coordinator that stays",
      .details = kDetails,
      .define = Define,
      .topic = Topic::kCoordinator,
      .examples = {{"roar server start", ""},
                   {"roar server start --listen 0.0.0.0:7777 --http 127.0.0.1:9090",
                    "for other machines, with metrics for this one"},
                   {"roar-worker --access access.json --slots 8", "then, on another machine"}},
      .related = {"server info", "server stop", "worker list"},
      .exit_codes = {{ExitCode::kThisMachine, "it cannot start here: a port in use, a folder that cannot be written"}},
      .schemas = {"server"}};
}

}  // namespace roar
