#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/roar/v1/worker_service.pb.h"
#include "proto/transport/channel.h"
#include "worker/agent/artifact_cache.h"

namespace roar::agent {

struct Connection {
  v1::Access access;
  std::shared_ptr<grpc::Channel> channel;
};

// The way to the coordinator, as the access file says now. Thread-safe.
class CoordinatorLink {
 public:
  // `server_address`, unless empty, takes the place of the file's. Errors as ReadAccessFile().
  static absl::StatusOr<std::unique_ptr<CoordinatorLink>> Open(const std::filesystem::path& access_path,
                                                               const std::string& server_address);

  Connection Current() const;

  // Connects anew, by the access file as it is now: a coordinator that was started again may have another address.
  // Keeps what it knows while the file cannot be read. Whether the file says something new.
  bool Reopen();

  // Uploads and downloads by the current connection. Must not outlive the link.
  ArtifactTransfer Transfer();

 private:
  CoordinatorLink(std::filesystem::path access_path, std::string server_address, v1::Access access);

  const std::filesystem::path access_path_;
  const std::string server_address_;
  mutable std::mutex mutex_;
  Connection connection_;
};

struct SynchronizeReply {
  absl::Status status;
  v1::SynchronizeResponse response;
  // On the steady clock, when the call was sent: leases count from then.
  absl::Duration sent;
};

// A Synchronize call under way, in a thread of its own. Not by gRPC's callbacks: there, the channel must not end in the
// callback's thread, which the link cannot promise.
class SynchronizeCall {
 public:
  // Sends the call; `on_reply` is called once, from the call's thread.
  SynchronizeCall(Connection connection, v1::SynchronizeRequest request, absl::Duration timeout,
                  std::function<void(SynchronizeReply)> on_reply);
  // Cancels it and waits for the reply.
  ~SynchronizeCall();

  // The reply comes at once, as CancelledError unless it was faster.
  void Cancel();
  bool cancelled() const { return cancelled_; }

 private:
  grpc::ClientContext context_;
  bool cancelled_ = false;
  std::thread thread_;
};

}  // namespace roar::agent
