#include "worker/agent/agent_state.h"

#include <algorithm>
#include <set>

#include "core/schedule/job_state.h"

namespace roar::agent {
namespace {

constexpr int kResultsPerCallMost = 64;

}  // namespace

void AgentState::Report(const std::vector<v1::RunningJob>& progress, v1::SynchronizeRequest& request) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].kind != Slot::Kind::kRunning) continue;
    v1::RunningJob& running = *request.add_running();
    running = progress[i];
    running.set_key(slots_[i].key);
    running.set_lease_epoch(slots_[i].lease_epoch);
  }
  for (Finished& finished : finished_) finished.in_last_report = false;
  for (const bool reported : {false, true}) {
    for (Finished& finished : finished_) {
      if (finished.reported != reported || finished.in_last_report) continue;
      if (request.finished_size() == kResultsPerCallMost) return;
      *request.add_finished() = finished.job;
      finished.reported = finished.in_last_report = true;
    }
  }
}

Actions AgentState::OnResponse(const v1::SynchronizeResponse& response, Instant sent) {
  const Instant lease_ends = sent + absl::Milliseconds(response.lease_ttl_milliseconds());
  const std::set<std::string> acknowledged(response.acknowledged_keys().begin(), response.acknowledged_keys().end());
  std::erase_if(finished_, [&](const Finished& finished) {
    return finished.in_last_report && acknowledged.contains(finished.job.key());
  });

  Actions actions;
  std::set<std::string> desired_keys;
  for (const v1::DesiredJob& job : response.desired()) desired_keys.insert(job.key());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].kind == Slot::Kind::kRunning && !desired_keys.contains(slots_[i].key)) {
      StopSlot(i, "no longer wanted", actions);
    }
  }
  for (const v1::DesiredJob& job : response.desired()) {
    if (Slot* slot = RunningSlot(job.key()); slot != nullptr) {
      slot->lease_epoch = job.lease_epoch();
      slot->lease_ends = lease_ends;
    } else {
      StartIfPossible(job, lease_ends, actions);
    }
  }
  return actions;
}

void AgentState::StartIfPossible(const v1::DesiredJob& job, Instant lease_ends, Actions& actions) {
  if (draining_ || IsFinished(job)) return;
  const auto slot =
      std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.kind == Slot::Kind::kFree; });
  if (slot == slots_.end()) return;
  *slot = {.kind = Slot::Kind::kRunning, .key = job.key(), .lease_epoch = job.lease_epoch(), .lease_ends = lease_ends};
  actions.start.push_back({.slot = static_cast<int>(slot - slots_.begin()), .job = job});
}

Actions AgentState::StopExpired(Instant now) {
  Actions actions;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].kind == Slot::Kind::kRunning && slots_[i].lease_ends <= now) {
      StopSlot(i, "the lease ended: the coordinator is away", actions);
    }
  }
  return actions;
}

Actions AgentState::Drain(const std::string& reason) {
  draining_ = true;
  Actions actions;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].kind != Slot::Kind::kRunning) continue;
    Finished finished;
    finished.job.set_key(slots_[i].key);
    finished.job.set_lease_epoch(slots_[i].lease_epoch);
    finished.job.mutable_failure()->set_kind(std::string(Name(schedule::FailureKind::kPreempted)));
    finished.job.mutable_failure()->set_reason(reason);
    finished_.push_back(std::move(finished));
    StopSlot(i, reason, actions);
  }
  return actions;
}

void AgentState::OnEnded(int slot_index, const v1::FinishedJob* finished) {
  Slot& slot = slots_[static_cast<std::size_t>(slot_index)];
  if (slot.kind == Slot::Kind::kRunning && finished != nullptr) {
    finished_.push_back({.job = *finished});
    finished_.back().job.set_lease_epoch(slot.lease_epoch);
  }
  slot = {};
}

Instant AgentState::NextLeaseEnd() const {
  Instant next = absl::InfiniteDuration();
  for (const Slot& slot : slots_) {
    if (slot.kind == Slot::Kind::kRunning) next = std::min(next, slot.lease_ends);
  }
  return next;
}

bool AgentState::HasFreeSlot() const {
  return std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.kind == Slot::Kind::kFree; });
}

bool AgentState::AllFree() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.kind == Slot::Kind::kFree; });
}

bool AgentState::HasUnreported() const {
  return std::any_of(finished_.begin(), finished_.end(), [](const Finished& finished) { return !finished.reported; });
}

void AgentState::StopSlot(std::size_t index, const std::string& reason, Actions& actions) {
  slots_[index] = {.kind = Slot::Kind::kStopping};
  actions.stop.push_back({.slot = static_cast<int>(index), .reason = reason});
}

bool AgentState::IsFinished(const v1::DesiredJob& job) const {
  return std::any_of(finished_.begin(), finished_.end(), [&](const Finished& finished) {
    return finished.job.key() == job.key() && finished.job.lease_epoch() == job.lease_epoch();
  });
}

AgentState::Slot* AgentState::RunningSlot(const std::string& key) {
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return slot.kind == Slot::Kind::kRunning && slot.key == key;
  });
  return slot == slots_.end() ? nullptr : &*slot;
}

}  // namespace roar::agent
