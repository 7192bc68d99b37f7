#pragma once

#include <grpcpp/grpcpp.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/child_process.h"
#include "proto/roar/v1/access.pb.h"
#include "proto/roar/v1/server_service.grpc.pb.h"
#include "proto/transport/channel.h"

namespace roar {

// Which coordinator a command talks to.
struct Target {
  std::filesystem::path state_folder;
  // Empty: that of the state folder.
  std::filesystem::path access_file;
  // Replaces the access file's address unless empty.
  std::string server_address;

  // A coordinator that was named is somebody's; that of a state folder may be started here.
  bool MayStart() const { return access_file.empty() && server_address.empty(); }
};

inline constexpr char kRichErrorPayload[] = "google.rpc.Status";

// A connection to a coordinator that has answered and speaks this program's protocol. Cheap to copy; any thread.
class Coordinator {
 public:
  Coordinator(v1::Access access, std::string name);

  // One call. Repeated a few times while the coordinator is unreachable, so a mutation must carry a request id.
  // Messages of errors say which coordinator and what to do.
  //   coordinator.Call<v1::SweepService>(&v1::SweepService::Stub::GetSweep, request)
  template <typename Service, typename Stub = typename Service::Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                                const Request& request, absl::Duration timeout = kCallTimeout) const {
    const auto stub = Service::NewStub(channel_);
    Response response;
    const grpc::Status status = Attempt([&] {
      grpc::ClientContext context;
      PrepareCall(context, access_, timeout);
      return ((*stub).*method)(&context, request, &response);
    });
    if (!status.ok()) return Explain(status);
    return response;
  }

  // All pages of a listing. `items` names the repeated field of the response.
  template <typename Service, typename Stub = typename Service::Stub, typename Request, typename Response,
            typename Item>
  absl::StatusOr<std::vector<Item>> List(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                                         Request request,
                                         const google::protobuf::RepeatedPtrField<Item>& (Response::*items)()
                                             const) const {
    std::vector<Item> all;
    do {
      absl::StatusOr<Response> page = Call<Service>(method, request);
      if (!page.ok()) return page.status();
      all.insert(all.end(), ((*page).*items)().begin(), ((*page).*items)().end());
      request.set_page_token(page->next_page_token());
    } while (!request.page_token().empty());
    return all;
  }

  // The status of a failed call, for a person. A rich error of the call is kept as the payload kRichErrorPayload, a
  // serialized v1::RichStatus.
  absl::Status Explain(const grpc::Status& status) const;

  const v1::Access& access() const { return access_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

  // Between tries of a call.
  static void PauseBeforeRepeat();

 private:
  static constexpr absl::Duration kCallTimeout = absl::Seconds(30);

  // Calls until the answer is another than UNAVAILABLE, a few times.
  template <typename CallOnce>
  static grpc::Status Attempt(CallOnce call_once) {
    grpc::Status status = call_once();
    for (int repeat = 0; repeat < kRepeats && status.error_code() == grpc::StatusCode::UNAVAILABLE; ++repeat) {
      PauseBeforeRepeat();
      status = call_once();
    }
    return status;
  }
  static constexpr int kRepeats = 3;

  v1::Access access_;
  // For messages: the address, or the state folder.
  std::string name_;
  std::shared_ptr<grpc::Channel> channel_;
};

// Joins a coordinator that runs. Unavailable: none does, or it is out of reach. Unimplemented: it speaks another
// version.
absl::StatusOr<Coordinator> Join(const Target& target);

struct CoordinatorOptions {
  // Empty: no TCP port.
  std::string listen_address;
  std::string http_address;
  // Whether it leaves when nobody has asked it anything for a while and no sweep is running.
  bool leaves_when_idle = true;
};

struct JoinedCoordinator {
  Coordinator coordinator;
  // When it was started for this.
  std::optional<ChildProcess> started;
};

// Joins the coordinator of a target, or starts that of its state folder where that may be.
absl::StatusOr<JoinedCoordinator> JoinOrStart(const Target& target);
// Starts that of a state folder and waits until it answers. Internal, with its last words, when it ends instead.
absl::StatusOr<JoinedCoordinator> StartCoordinator(const Target& target, const CoordinatorOptions& options);

// For `request_id`: 128 random bits.
std::string NewRequestId();

// Daemons that a command started leave after so long without work.
inline constexpr int kIdleExitSeconds = 30;

}  // namespace roar
