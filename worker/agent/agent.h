#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/agent/agent_state.h"
#include "worker/agent/artifact_cache.h"
#include "worker/agent/coordinator_link.h"
#include "worker/agent/mailbox.h"
#include "worker/agent/slot.h"

namespace roar::agent {

struct AgentOptions {
  std::filesystem::path access_path;
  // Unless empty, in place of the access file's address.
  std::string server_address;
  std::string name;
  int slots = 1;
  int threads_per_slot = 1;
  // For artifacts, scratch files and logs; made when it is not there.
  std::filesystem::path cache_folder;
  std::filesystem::path runner_program;
  // Ends the agent when nothing has run, or the coordinator has been away, for this long.
  std::optional<absl::Duration> idle_exit;
};

// Offers slots to the coordinator and keeps their jobs as the coordinator wants them. One thread decides and never
// blocks on a transfer, a runner or a call; each slot has its own.
class Agent {
 public:
  // Reads the access file, makes the folders and asks the runner what it computes with. Errors: as ReadAccessFile(), or
  // Internal when a folder or the runner does not work.
  static absl::StatusOr<std::unique_ptr<Agent>> Create(AgentOptions options);

  // Works until `stop_signals` (a signalfd) is readable or the agent is idle for long; then gives back what runs and
  // returns OK within seconds. Unauthenticated, PermissionDenied, FailedPrecondition or InvalidArgument when the
  // coordinator refuses this worker. All else is waited out.
  absl::Status Run(int stop_signals);

  // After Run(): a slot that is not free waits for a transfer, and so would the destructor.
  bool AllSlotsFree() const { return state_.AllFree(); }

 private:
  struct SlotEnded {
    int slot = 0;
    std::optional<v1::FinishedJob> finished;
  };
  using Event = std::variant<SynchronizeReply, SlotEnded>;

  Agent(AgentOptions options, std::unique_ptr<CoordinatorLink> link, std::string device_kind);

  absl::Status Step();
  absl::Status HandleEvents();
  absl::Status OnReply(const SynchronizeReply& reply);
  absl::Status OnCallFailed(const absl::Status& status);
  void OnResponse(const SynchronizeReply& reply);
  void CarryOut(const Actions& actions);
  void Call(absl::Duration hold, absl::Duration timeout);
  v1::SynchronizeRequest Request();
  std::string ReasonToEnd(int stop_signals, Instant now) const;
  absl::Status Drain(const std::string& reason);
  Instant NextDeadline() const;
  absl::Duration Jittered(absl::Duration interval);

  const AgentOptions options_;
  const std::unique_ptr<CoordinatorLink> link_;
  const std::string device_kind_;
  std::random_device random_device_;
  const std::string incarnation_;
  AgentState state_;
  ArtifactCache cache_;
  Mailbox<Event> mailbox_;
  std::vector<std::unique_ptr<Slot>> slots_;

  std::unique_ptr<SynchronizeCall> call_;
  // How long the coordinator may hold the call under way, or the next one.
  absl::Duration held_for_;
  absl::Duration next_hold_;
  Instant next_call_;
  absl::Duration backoff_;
  // Since when calls fail; infinite while they do not.
  Instant away_since_ = absl::InfiniteDuration();
  Instant last_busy_;
  std::string drain_reason_;
};

}  // namespace roar::agent
