#include "server/rpc/rpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"
#include "proto/transport/durable_file.h"
#include "server/address.h"

namespace roar::server {
namespace {

constexpr int kShortestPingIntervalMs = 10'000;
constexpr auto kShutdownGrace = std::chrono::seconds(2);

std::filesystem::path SocketFolder() {
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime != '\0') {
    return std::filesystem::path(runtime) / "roar";
  }
  return std::filesystem::temp_directory_path() / absl::StrCat("roar-", geteuid());
}

// In a shared temporary directory anybody may have made the folder first.
absl::Status MakePrivateFolder(const std::filesystem::path& folder) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return SystemError(absl::StrCat("create ", folder.string()));
  struct stat info {};
  if (lstat(folder.c_str(), &info) != 0) return SystemError(absl::StrCat("look at ", folder.string()));
  if (S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 077) == 0) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat(folder.string(), " must be a folder of yours with mode 0700: remove it, or set XDG_RUNTIME_DIR"));
}

// gRPC says only that it failed; binding again tells the reason.
std::string WhyNotBound(const std::string& text) {
  const absl::StatusOr<HostPort> address = ParseHostPort(text);
  if (!address.ok()) return std::string(address.status().message());
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  const int error = getaddrinfo(address->host.c_str(), std::to_string(address->port).c_str(), &hints, &found);
  if (error != 0) return gai_strerror(error);
  const int descriptor = socket(found->ai_family, SOCK_STREAM, 0);
  const int bound = bind(descriptor, found->ai_addr, found->ai_addrlen);
  const std::string reason = bound == 0 ? "the certificates in STATE/tls cannot be used" : std::strerror(errno);
  close(descriptor);
  freeaddrinfo(found);
  return reason;
}

std::shared_ptr<grpc::ServerCredentials> TlsCredentials(const Certificates& certificates) {
  grpc::SslServerCredentialsOptions options(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  options.pem_key_cert_pairs.push_back({certificates.server_key, certificates.server_certificate});
  return grpc::SslServerCredentials(options);
}

}  // namespace

absl::StatusOr<std::filesystem::path> LocalSocketPath(const std::filesystem::path& state_folder) {
  constexpr std::size_t kNameDigits = 16;
  const std::filesystem::path folder = SocketFolder();
  const std::filesystem::path path =
      folder / absl::StrCat(Sha256Hex(state_folder.string()).substr(0, kNameDigits), ".sock");
  if (path.string().size() >= sizeof(sockaddr_un::sun_path)) {
    return absl::InvalidArgumentError(absl::StrCat("the socket's path ", path.string(), " is over ",
                                                   sizeof(sockaddr_un::sun_path) - 1,
                                                   " bytes: set XDG_RUNTIME_DIR to a shorter one"));
  }
  if (absl::Status status = MakePrivateFolder(folder); !status.ok()) return status;
  return path;
}

RpcServer::RpcServer(const Options& options, Coordinator& coordinator, ArtifactStore& artifacts, Gate& gate,
                     Metrics& metrics)
    : sweep_rpc_(coordinator, gate),
      job_rpc_(coordinator, gate),
      worker_rpc_(coordinator, gate, options.lease_ttl),
      dataset_rpc_(coordinator, gate),
      artifact_rpc_(artifacts, gate, metrics),
      bundle_rpc_(coordinator, artifacts, gate),
      server_rpc_(gate, options.shut_down),
      socket_(options.socket) {}

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::Start(const Options& options, Coordinator& coordinator,
                                                            ArtifactStore& artifacts, Gate& gate, Metrics& metrics) {
  std::unique_ptr<RpcServer> server(new RpcServer(options, coordinator, artifacts, gate, metrics));
  if (absl::Status status = server->Listen(options); !status.ok()) return status;
  return server;
}

absl::Status RpcServer::Listen(const Options& options) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  // A client that vanished in the middle of an upload is noticed, and its place is free, within half a minute.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kShortestPingIntervalMs);
  // The lock on the state folder is held, so a socket that is there is a dead coordinator's.
  std::filesystem::remove(options.socket);
  builder.AddListeningPort("unix:" + options.socket.string(), grpc::InsecureServerCredentials());
  int port = 0;
  HostPort address;
  if (!options.listen.empty()) {
    absl::StatusOr<HostPort> parsed = ParseHostPort(options.listen);
    if (!parsed.ok()) return parsed.status();
    address = *std::move(parsed);
    builder.AddListeningPort(options.listen, TlsCredentials(options.certificates), &port);
  }
  grpc::Service* const services[] = {&sweep_rpc_,    &job_rpc_,    &worker_rpc_, &dataset_rpc_,
                                     &artifact_rpc_, &bundle_rpc_, &server_rpc_};
  for (grpc::Service* service : services) builder.RegisterService(service);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) {
    const std::string where = options.listen.empty() ? options.socket.string() : options.listen;
    const std::string reason = options.listen.empty() ? "gRPC refused the socket" : WhyNotBound(options.listen);
    return absl::UnavailableError(absl::StrCat("cannot listen on ", where, ": ", reason));
  }
  if (!options.listen.empty()) tcp_address_ = Format({address.host, port});
  return absl::OkStatus();
}

RpcServer::~RpcServer() {
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now() + kShutdownGrace);
  server_->Wait();
  std::error_code ignored;
  std::filesystem::remove(socket_, ignored);
}

}  // namespace roar::server
