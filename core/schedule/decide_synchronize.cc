#include <algorithm>
#include <vector>

#include "core/schedule/decide.h"

namespace roar::schedule {
namespace {

void EndEarlierIncarnations(Decision& decision, const Synchronize& call) {
  for (const JobKey& key : decision.HeldBy(call.worker)) {
    if (LeaseOf(decision.StateOf(key))->incarnation == call.incarnation) continue;
    decision.GiveBack(*decision.Find(key), FailureKind::kWorkerLost);
  }
}

const RunningReport* ReportOf(const Synchronize& call, const JobKey& key, std::int64_t epoch) {
  auto report = std::find_if(call.running.begin(), call.running.end(), [&](const RunningReport& running) {
    return running.key == key && running.epoch == epoch;
  });
  return report == call.running.end() ? nullptr : &*report;
}

// A job that is held and not reported stays leased: the reply that named it may have been lost.
void Renew(Decision& decision, const Synchronize& call, const JobKey& key) {
  const JobState& state = decision.StateOf(key);
  Lease lease = *LeaseOf(state);
  lease.expires = decision.now() + decision.before().options.lease_ttl;
  const RunningReport* report = ReportOf(call, key, lease.epoch);
  const auto* running = std::get_if<Running>(&state);
  if (running == nullptr && report != nullptr) {
    decision.Move(*decision.Find(key), Running{lease, report->phase, report->progress});
  } else if (running == nullptr) {
    decision.Add(RenewLease{.key = key, .expires = lease.expires});
  } else {
    decision.Add(RenewLease{key, report != nullptr ? report->phase : running->phase,
                            report != nullptr ? report->progress : running->progress, lease.expires});
  }
}

// How many of the worker's jobs remain.
int TakeBackExcess(Decision& decision, const std::string& worker, int slots) {
  std::vector<JobKey> held = decision.HeldBy(worker);
  std::stable_partition(held.begin(), held.end(),
                        [&](const JobKey& key) { return std::holds_alternative<Running>(decision.StateOf(key)); });
  while (static_cast<int>(held.size()) > slots) {
    decision.GiveBack(*decision.Find(held.back()), FailureKind::kPreempted);
    held.pop_back();
  }
  return static_cast<int>(held.size());
}

// As far as the coordinator knows: a worker that has just died still counts.
std::int64_t FreeSlotsOfOthers(const State& state, const std::string& worker) {
  std::int64_t free = 0;
  for (const auto& [name, other] : state.workers) {
    if (name == worker || other.draining) continue;
    free += std::max<std::int64_t>(0, other.slots - std::ssize(state.index.HeldBy(name)));
  }
  return free;
}

void FillSlots(Decision& decision, const Synchronize& call, int free) {
  if (free <= 0) return;
  decision.EndBackoffs();
  SplitForIdleSlots(decision, free + FreeSlotsOfOthers(decision.before(), call.worker));
  while (free > 0 && decision.GrantNext(call.worker, call.incarnation)) --free;
}

}  // namespace

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const Synchronize& event, Instant now) {
  Decision decision(state, now);
  const int slots = std::max(event.slots, 0);
  EndEarlierIncarnations(decision, event);
  for (const FinishedReport& report : event.finished) JudgeFinished(decision, event.worker, report);
  for (const JobKey& key : decision.HeldBy(event.worker)) Renew(decision, event, key);
  const int held = TakeBackExcess(decision, event.worker, slots);
  if (!event.draining) FillSlots(decision, event, slots - held);
  decision.Add(SeeWorker{event.worker, event.incarnation, slots, event.draining, now});
  return decision.Take();
}

}  // namespace roar::schedule
