#include "server/daemon.h"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <ctime>

#include "absl/strings/str_cat.h"
#include "proto/transport/access_file.h"
#include "proto/transport/channel.h"
#include "server/address.h"
#include "server/certificates.h"

namespace roar::server {
namespace {

// Below this the coordinator calls itself degraded.
constexpr std::int64_t kFreeDiskWatermarkBytes = std::int64_t{256} << 20;
constexpr timespec kWaitInterval{0, 200'000'000};

std::int64_t FreeBytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(path, error);
  return error ? 0 : static_cast<std::int64_t>(space.available);
}

// What other machines call an address that means "every interface" here.
std::string Reachable(const std::string& text) {
  const absl::StatusOr<HostPort> address = ParseHostPort(text);
  if (!address.ok() || (address->host != "0.0.0.0" && address->host != "::")) return text;
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return text;
  return Format({name, address->port});
}

}  // namespace

Daemon::Daemon(const DaemonOptions& options) : options_(options), metrics_(ROAR_VERSION) {}

absl::StatusOr<std::unique_ptr<Daemon>> Daemon::Start(const DaemonOptions& options) {
  std::unique_ptr<Daemon> daemon(new Daemon(options));
  if (absl::Status status = daemon->Open(); !status.ok()) return status;
  if (absl::Status status = daemon->Serve(); !status.ok()) return status;
  daemon->Announce();
  return daemon;
}

Daemon::~Daemon() {
  if (rpc_ != nullptr) rpc_->StopStreams();
  web_.reset();
  if (coordinator_ != nullptr) coordinator_->Stop();
}

absl::Status Daemon::Open() {
  absl::StatusOr<std::unique_ptr<StateFolder>> folder = StateFolder::Open(options_.state);
  if (!folder.ok()) return folder.status();
  folder_ = *std::move(folder);
  absl::StatusOr<std::unique_ptr<ArtifactStore>> artifacts = ArtifactStore::Open(folder_->path());
  if (!artifacts.ok()) return artifacts.status();
  artifacts_ = *std::move(artifacts);
  Coordinator::Options coordinator_options{folder_->path() / "control.db", {}};
  coordinator_options.scheduler.lease_ttl = options_.lease_ttl;
  absl::StatusOr<std::unique_ptr<Coordinator>> coordinator =
      Coordinator::Start(std::move(coordinator_options), *artifacts_, metrics_);
  if (!coordinator.ok()) return coordinator.status();
  coordinator_ = *std::move(coordinator);
  return absl::OkStatus();
}

absl::Status Daemon::Serve() {
  absl::StatusOr<Certificates> certificates = LoadOrMakeCertificates(folder_->path());
  if (!certificates.ok()) return certificates.status();
  absl::StatusOr<std::string> token = LoadOrMakeToken(folder_->path());
  if (!token.ok()) return token.status();
  absl::StatusOr<std::filesystem::path> socket = LocalSocketPath(folder_->path());
  if (!socket.ok()) return socket.status();
  gate_ = std::make_unique<Gate>(*token, metrics_);
  absl::StatusOr<std::unique_ptr<RpcServer>> rpc =
      RpcServer::Start({*socket, options_.listen, *certificates, options_.lease_ttl, [this] { RequestStop(); }},
                       *coordinator_, *artifacts_, *gate_, metrics_);
  if (!rpc.ok()) return rpc.status();
  rpc_ = *std::move(rpc);
  if (absl::Status status = StartWeb(*certificates); !status.ok()) return status;

  access_.set_local_address(absl::StrCat("unix:", socket->string()));
  access_.set_address(rpc_->tcp_address().empty() ? access_.local_address() : Reachable(rpc_->tcp_address()));
  if (web_ != nullptr) access_.set_http_address(Reachable(web_->address()));
  access_.set_token(*token);
  access_.set_ca_certificate_pem(certificates->ca_certificate);
  access_.set_certificate_name(kCertificateName);
  return WriteAccessFile(folder_->path() / "access.json", access_);
}

absl::Status Daemon::StartWeb(const Certificates& certificates) {
  if (options_.http.empty()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<WebServer>> web = WebServer::Start(
      {options_.http, certificates, [this](const std::string& authorization) { return gate_->IsToken(authorization); },
       [this] { return MetricsText(); }, [this] { return Health(); }});
  if (!web.ok()) return web.status();
  web_ = *std::move(web);
  return absl::OkStatus();
}

void Daemon::Announce() {
  v1::GetServerInfoResponse info;
  info.set_version(ROAR_VERSION);
  info.set_protocol_version(kProtocolVersion);
  info.set_address(access_.address());
  info.set_http_address(access_.http_address());
  info.set_access_file((folder_->path() / "access.json").string());
  info.set_state_folder(folder_->path().string());
  info.set_process_id(getpid());
  rpc_->SetInfo(info);
  spdlog::info("roard {} serves {} at {}{}", ROAR_VERSION, info.state_folder(), info.address(),
               info.http_address().empty() ? "" : ", metrics at https://" + info.http_address() + "/metrics");
}

void Daemon::Wait() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  while (!stop_requested_) {
    const int signal = sigtimedwait(&signals, nullptr, &kWaitInterval);
    if (signal > 0) {
      spdlog::info("stopping: signal {}", signal);
      return;
    }
    if (options_.idle_exit.has_value() && IsIdle()) {
      spdlog::info("stopping: idle");
      return;
    }
  }
  spdlog::info("stopping: asked to");
}

bool Daemon::IsIdle() {
  if (gate_->SinceLastClientCall() < *options_.idle_exit) return false;
  bool idle = false;
  const absl::Status status = coordinator_->Do([&](ServiceState& state) {
    using enum schedule::JobStateKind;
    idle = state.JobsIn(kReady) == 0 && state.JobsIn(kLeased) == 0 && state.JobsIn(kRunning) == 0;
    return absl::OkStatus();
  });
  return status.ok() && idle;
}

std::string Daemon::MetricsText() {
  const absl::StatusOr<Gauges> gauges =
      coordinator_->Do([](ServiceState& state) -> absl::StatusOr<Gauges> { return state.CurrentGauges(); });
  if (gauges.ok()) metrics_.Set(*gauges);
  metrics_.SetFreeDisk(FreeBytes(folder_->path()));
  return metrics_.Text();
}

WebServer::Health Daemon::Health() {
  const absl::Status status = coordinator_->Do([](ServiceState&) { return absl::OkStatus(); });
  if (!status.ok()) return {false, std::string(status.message())};
  const std::int64_t free_bytes = FreeBytes(folder_->path());
  if (free_bytes < kFreeDiskWatermarkBytes)
    return {false, absl::StrCat("only ", free_bytes >> 20, " MiB of disk are free")};
  return {};
}

int ExitCode(const absl::Status& status) {
  constexpr int kUsage = 2, kConflict = 8, kThisMachine = 9;
  if (absl::IsInvalidArgument(status)) return kUsage;
  return absl::IsAlreadyExists(status) ? kConflict : kThisMachine;
}

}  // namespace roar::server
