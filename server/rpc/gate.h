#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "server/coordinator.h"
#include "server/metrics.h"

namespace roar::server {

// What every call passes: the token on the way in; the translation of its status and the counting on the way out.
// Thread-safe.
class Gate {
 public:
  // A worker's call does not keep an idle coordinator alive.
  enum class Caller { kClient, kWorker };

  Gate(std::string token, Metrics& metrics);

  // OK, or Unauthenticated when the call lacks "authorization: Bearer TOKEN".
  absl::Status Admit(const grpc::ServerContextBase& context, Caller caller = Caller::kClient);
  // The status as it travels; payloads of an absl status become the details of a google.rpc.Status.
  grpc::Status Answer(const char* method, const absl::Status& status);

  // Admit, `handler` (-> absl::Status), Answer.
  template <class Handler>
  grpc::Status Serve(const grpc::ServerContextBase& context, const char* method, Handler handler) {
    absl::Status status = Admit(context);
    if (status.ok()) status = handler();
    return Answer(method, status);
  }

  bool IsToken(const std::string& authorization) const;
  absl::Duration SinceLastClientCall() const;

 private:
  std::string expected_;
  Metrics& metrics_;
  std::atomic<std::int64_t> last_client_call_nanoseconds_;
};

// Runs `work` (ServiceState&, Response& -> absl::Status) once for a request id: a repeated call gets the first's reply.
template <class Request, class Response, class Work>
absl::Status Mutate(Coordinator& coordinator, const Request& request, Response& response, Work work) {
  constexpr std::size_t kLongestRequestId = 128;
  if (request.request_id().size() > kLongestRequestId) return absl::InvalidArgumentError("request_id is too long");
  const std::string id = request.request_id().empty() ? "" : Request::descriptor()->name() + "/" + request.request_id();
  return coordinator.Do([&](ServiceState& state) -> absl::Status {
    if (!id.empty()) {
      const std::optional<std::string> known = state.KnownReply(id);
      if (known.has_value() && response.ParseFromString(*known)) return absl::OkStatus();
    }
    const absl::Status status = work(state, response);
    if (status.ok() && !id.empty()) state.RememberReply(id, response.SerializeAsString());
    return status;
  });
}

// InvalidArgument unless the text is 1 to 64 of letters, digits, '.', '_' and '-'; `what` is the field.
absl::Status CheckName(const std::string& what, const std::string& name);
absl::Status CheckSha256(const std::string& what, const std::string& text);

}  // namespace roar::server
