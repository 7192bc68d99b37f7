#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/roar/v1/access.pb.h"
#include "server/coordinator.h"
#include "server/metrics.h"
#include "server/rpc/gate.h"
#include "server/rpc/rpc_server.h"
#include "server/storage/artifact_store.h"
#include "server/storage/state_folder.h"
#include "server/web/web_server.h"

namespace roar::server {

struct DaemonOptions {
  std::filesystem::path state;
  // "HOST:PORT", or empty: then only the Unix socket is served, and no metrics page.
  std::string listen;
  std::string http;
  absl::Duration lease_ttl = absl::Seconds(60);
  // Ends once no client has called for this long and nothing is left to run.
  std::optional<absl::Duration> idle_exit;
};

// A coordinator with all that it serves.
class Daemon {
 public:
  // Errors: AlreadyExists another coordinator holds the state folder; InvalidArgument an address is none; else this
  // machine's (disk, port, permission, newer state).
  static absl::StatusOr<std::unique_ptr<Daemon>> Start(const DaemonOptions& options);
  ~Daemon();

  // What STATE/access.json says.
  const v1::Access& access() const { return access_; }
  // Returns when SIGTERM or SIGINT comes (the caller has blocked both in every thread), somebody called RequestStop(),
  // or it has been idle for long enough.
  void Wait();
  // From any thread.
  void RequestStop() { stop_requested_ = true; }

 private:
  explicit Daemon(const DaemonOptions& options);
  absl::Status Open();
  absl::Status Serve();
  absl::Status StartWeb(const Certificates& certificates);
  void Announce();
  bool IsIdle();
  std::string MetricsText();
  WebServer::Health Health();

  DaemonOptions options_;
  std::atomic<bool> stop_requested_ = false;
  v1::Access access_;
  std::unique_ptr<StateFolder> folder_;
  Metrics metrics_;
  std::unique_ptr<ArtifactStore> artifacts_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<RpcServer> rpc_;
  std::unique_ptr<WebServer> web_;
};

// The process's exit code for a Start() that failed: 2 usage, 8 conflict, 9 this machine.
int ExitCode(const absl::Status& status);

}  // namespace roar::server
