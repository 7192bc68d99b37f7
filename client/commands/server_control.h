#pragma once

#include "absl/status/statusor.h"
#include "client/coordinator.h"
#include "proto/roar/v1/server_service.pb.h"

namespace roar {

absl::StatusOr<v1::GetServerInfoResponse> GetServerInfo(const Coordinator& coordinator);

// Asks the coordinator to end, and returns when it answers no more and, if it is of this machine, has let its folder
// go. DeadlineExceeded when that takes long.
absl::Status ShutDown(const Target& target, const Coordinator& coordinator);

}  // namespace roar
