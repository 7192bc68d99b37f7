#include "worker/agent/coordinator_link.h"

#include <utility>

#include "proto/roar/v1/worker_service.grpc.pb.h"
#include "proto/transport/access_file.h"
#include "worker/agent/wakeup.h"

namespace roar::agent {

absl::StatusOr<std::unique_ptr<CoordinatorLink>> CoordinatorLink::Open(const std::filesystem::path& access_path,
                                                                       const std::string& server_address) {
  absl::StatusOr<v1::Access> access = ReadAccessFile(access_path, server_address);
  if (!access.ok()) return access.status();
  return std::unique_ptr<CoordinatorLink>(new CoordinatorLink(access_path, server_address, *std::move(access)));
}

CoordinatorLink::CoordinatorLink(std::filesystem::path access_path, std::string server_address, v1::Access access)
    : access_path_(std::move(access_path)), server_address_(std::move(server_address)) {
  connection_.channel = OpenChannel(access);
  connection_.access = std::move(access);
}

Connection CoordinatorLink::Current() const {
  std::lock_guard lock(mutex_);
  return connection_;
}

bool CoordinatorLink::Reopen() {
  const absl::StatusOr<v1::Access> read = ReadAccessFile(access_path_, server_address_);
  std::lock_guard lock(mutex_);
  const bool is_new = read.ok() && read->SerializeAsString() != connection_.access.SerializeAsString();
  if (is_new) connection_.access = *read;
  connection_.channel = OpenChannel(connection_.access);
  return is_new;
}

ArtifactTransfer CoordinatorLink::Transfer() {
  return {.download =
              [this](const ArtifactName& name, const std::filesystem::path& to) {
                const Connection connection = Current();
                return DownloadArtifact(connection.channel, connection.access, name, to);
              },
          .upload =
              [this](const ArtifactName& name, const std::filesystem::path& from) {
                const Connection connection = Current();
                return UploadArtifact(connection.channel, connection.access, name, from);
              }};
}

SynchronizeCall::SynchronizeCall(Connection connection, v1::SynchronizeRequest request, absl::Duration timeout,
                                 std::function<void(SynchronizeReply)> on_reply) {
  PrepareCall(context_, connection.access, timeout);
  thread_ = std::thread([this, channel = std::move(connection.channel), request = std::move(request),
                         on_reply = std::move(on_reply), sent = SteadyNow()] {
    SynchronizeReply reply = {.sent = sent};
    reply.status = FromGrpc(v1::WorkerService::NewStub(channel)->Synchronize(&context_, request, &reply.response));
    on_reply(std::move(reply));
  });
}

SynchronizeCall::~SynchronizeCall() {
  Cancel();
  thread_.join();
}

void SynchronizeCall::Cancel() {
  cancelled_ = true;
  context_.TryCancel();
}

}  // namespace roar::agent
