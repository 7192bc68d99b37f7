#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "server/certificates.h"

namespace httplib {
class SSLServer;
}

namespace roar::server {

// HTTPS for machines that watch: /metrics (with the token) and /healthz (without). A degraded coordinator
// still answers 200: restarting it would not help.
class WebServer {
 public:
  struct Health {
    bool ok = true;
    std::string reason;
  };
  struct Options {
    // "HOST:PORT"; port 0 lets the system choose.
    std::string address;
    Certificates certificates;
    // Called from the server's threads.
    std::function<bool(const std::string& authorization)> is_authorized;
    std::function<std::string()> metrics;
    std::function<Health()> health;
  };
  // Unavailable: the address cannot be listened on.
  static absl::StatusOr<std::unique_ptr<WebServer>> Start(Options options);
  ~WebServer();

  // "HOST:PORT" with the port that was chosen.
  const std::string& address() const { return address_; }

 private:
  WebServer();

  std::unique_ptr<httplib::SSLServer> server_;
  std::string address_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace roar::server
