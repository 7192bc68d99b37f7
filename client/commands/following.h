#pragma once

#include <cstdint>
#include <functional>

#include "client/commands/command.h"
#include "client/output/format.h"
#include "client/sweep_follower.h"
#include "proto/roar/v1/sweep_service.pb.h"

// What `run`, `watch` and `wait` share: staying with a sweep to its end.

namespace roar {

struct FollowOptions {
  // Joins a coordinator, or starts one.
  std::function<absl::StatusOr<Coordinator>()> connect;
  bool shows_progress = true;
  // Said while no worker is connected. Empty where the caller brings one.
  std::string without_worker = output::kNoWorker;
  // DeadlineExceeded when the sweep has not ended by then.
  absl::Duration timeout = absl::InfiniteDuration();
  // Called several times a second; an error ends the following.
  std::function<absl::Status()> tend = [] { return absl::OkStatus(); };
};

// Follows until the sweep is finished: its last state. Cancelled when the user pressed Ctrl-C. Unavailable when a
// coordinator that may not be started here stays out of reach for half a minute, and when one was stopped in good order
// and no other takes its place: a stop is somebody's wish.
absl::StatusOr<v1::SweepInfo> FollowSweep(const CommandContext& context, std::int64_t sweep_id,
                                          const FollowOptions& options);

// 0 when everything succeeded, 1 otherwise.
ExitCode OutcomeOf(const v1::SweepInfo& sweep);

// Tells how to come back to a sweep that goes on.
void SayHowToComeBack(const CommandContext& context, std::int64_t sweep_id);

}  // namespace roar
