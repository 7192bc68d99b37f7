#pragma once

#include <grpcpp/grpcpp.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/certificates.h"
#include "server/coordinator.h"
#include "server/rpc/artifact_rpc.h"
#include "server/rpc/bundle_rpc.h"
#include "server/rpc/dataset_rpc.h"
#include "server/rpc/gate.h"
#include "server/rpc/job_rpc.h"
#include "server/rpc/server_rpc.h"
#include "server/rpc/sweep_rpc.h"
#include "server/rpc/worker_rpc.h"

namespace roar::server {

// Where this machine's clients find the coordinator of a state folder: below $XDG_RUNTIME_DIR/roar, or in a private
// folder below the temporary directory, under a name made of the state folder's path. Creates the folder (0700).
// PermissionDenied: the folder is somebody else's. InvalidArgument: the path is too long for a socket.
absl::StatusOr<std::filesystem::path> LocalSocketPath(const std::filesystem::path& state_folder);

// All services, health and reflection on a Unix socket, and over TLS on a TCP address.
class RpcServer {
 public:
  struct Options {
    std::filesystem::path socket;
    // "HOST:PORT", or empty for the socket alone; port 0 lets the system choose.
    std::string listen;
    Certificates certificates;
    absl::Duration lease_ttl;
    std::function<void()> shut_down;
  };
  // What it is given outlives it. Unavailable: an address cannot be listened on.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(const Options& options, Coordinator& coordinator,
                                                          ArtifactStore& artifacts, Gate& gate, Metrics& metrics);
  // Gives calls in flight a moment to end. The coordinator has been stopped, so that none is held.
  ~RpcServer();

  // "HOST:PORT" with the port that was chosen; empty without `listen`.
  const std::string& tcp_address() const { return tcp_address_; }
  void SetInfo(v1::GetServerInfoResponse info) { server_rpc_.SetInfo(std::move(info)); }
  // Ends streams that would otherwise go on.
  void StopStreams() { sweep_rpc_.Stop(); }

 private:
  RpcServer(const Options& options, Coordinator& coordinator, ArtifactStore& artifacts, Gate& gate, Metrics& metrics);
  absl::Status Listen(const Options& options);

  SweepRpc sweep_rpc_;
  JobRpc job_rpc_;
  WorkerRpc worker_rpc_;
  DatasetRpc dataset_rpc_;
  ArtifactRpc artifact_rpc_;
  BundleRpc bundle_rpc_;
  ServerRpc server_rpc_;
  std::filesystem::path socket_;
  std::string tcp_address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace roar::server
