#include "server/web/web_server.h"

#include <httplib.h>
#include <openssl/pem.h>

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "server/address.h"

namespace roar::server {
namespace {

std::unique_ptr<BIO, decltype(&BIO_free)> MemoryOf(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

// The library copies neither, so they live as long as its context: it takes its own references.
bool UseCertificates(SSL_CTX& context, const Certificates& certificates) {
  std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(MemoryOf(certificates.server_certificate).get(), nullptr, nullptr, nullptr), &X509_free);
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(MemoryOf(certificates.server_key).get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
  SSL_CTX_set_min_proto_version(&context, TLS1_2_VERSION);
  return certificate != nullptr && key != nullptr && SSL_CTX_use_certificate(&context, certificate.get()) == 1 &&
         SSL_CTX_use_PrivateKey(&context, key.get()) == 1;
}

void Route(httplib::SSLServer& server, const WebServer::Options& options) {
  server.Get("/metrics", [options](const httplib::Request& request, httplib::Response& response) {
    if (!options.is_authorized(request.get_header_value("Authorization"))) {
      response.status = 401;
      response.set_header("WWW-Authenticate", "Bearer");
      response.set_content("the bearer token is missing or wrong\n", "text/plain");
      return;
    }
    response.set_content(options.metrics(), "text/plain; version=0.0.4; charset=utf-8");
  });
  server.Get("/healthz", [options](const httplib::Request&, httplib::Response& response) {
    const WebServer::Health health = options.health();
    nlohmann::json body = {{"status", health.ok ? "ok" : "degraded"}};
    if (!health.ok) body["reason"] = health.reason;
    response.set_content(body.dump() + "\n", "application/json");
  });
}

}  // namespace

WebServer::WebServer() = default;

absl::StatusOr<std::unique_ptr<WebServer>> WebServer::Start(Options options) {
  absl::StatusOr<HostPort> address = ParseHostPort(options.address);
  if (!address.ok()) return address.status();
  std::unique_ptr<WebServer> web(new WebServer());
  web->server_ = std::make_unique<httplib::SSLServer>(
      [&](SSL_CTX& context) { return UseCertificates(context, options.certificates); });
  if (!web->server_->is_valid()) return absl::InternalError("the certificates in STATE/tls cannot be used");
  Route(*web->server_, options);
  // Without SO_REUSEPORT, which the library sets: a port that is taken is to be an error.
  web->server_->set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  errno = 0;
  if (address->port == 0) {
    address->port = web->server_->bind_to_any_port(address->host);
  } else if (!web->server_->bind_to_port(address->host, address->port)) {
    address->port = -1;
  }
  if (address->port < 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen on ", options.address,
                     " for HTTP: ", errno == 0 ? "the address is taken or not this machine's" : strerror(errno)));
  }
  web->address_ = Format(*address);
  web->thread_ = std::thread([web = web.get()] {
    web->server_->listen_after_bind();
    web->ended_ = true;
  });
  return web;
}

WebServer::~WebServer() {
  if (!thread_.joinable()) return;
  // A stop before the loop runs would be lost.
  while (!server_->is_running() && !ended_) std::this_thread::yield();
  server_->stop();
  thread_.join();
}

}  // namespace roar::server
