#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "proto/roar/v1/access.pb.h"

namespace roar {

// The version of the conversation; both sides must have the same.
inline constexpr int kProtocolVersion = 1;

// Call before anything else of gRPC's: its own lines on standard error go, since every error reaches a person through a
// status. A GRPC_VERBOSITY in the environment wins.
void SilenceGrpcLog();

// A channel to the coordinator: its Unix socket when `access.local_address` names one that exists, else TLS that trusts
// only the authority of the access file. Keepalive 30 s. The environment's http_proxy is never used.
std::shared_ptr<grpc::Channel> OpenChannel(const v1::Access& access);

// Prepares a call: the token, and a deadline from now.
void PrepareCall(grpc::ClientContext& context, const v1::Access& access, absl::Duration timeout);

// The only two places where status crosses between absl and gRPC. The codes are the same numbers.
absl::Status FromGrpc(const grpc::Status& status);
grpc::Status ToGrpc(const absl::Status& status);

}  // namespace roar
