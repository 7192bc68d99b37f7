#pragma once

#include "absl/status/statusor.h"
#include "client/coordinator.h"
#include "proto/roar/v1/server_service.pb.h"

namespace roar {

absl::StatusOr<v1::GetServerInfoResponse> GetServerInfo(const Coordinator& coordinator);

// Asks the coordinator to end, and returns when it answers no more. DeadlineExceeded when it still does after a while.
absl::Status ShutDown(const Target& target, const Coordinator& coordinator);

}  // namespace roar
