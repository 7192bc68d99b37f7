#include "absl/strings/str_cat.h"
#include "core/schedule/decide.h"

namespace roar::schedule {
namespace {

void ExpireLeases(Decision& decision) {
  const State& state = decision.before();
  if (decision.now() < state.started + state.options.lease_ttl) return;
  for (const auto& [expires, key] : state.index.lease_ends()) {
    if (expires > decision.now()) break;
    const JobRecord& record = state.jobs.at(key);
    decision.FailAttempt(record, {FailureKind::kWorkerLost,
                                  absl::StrCat("worker ", LeaseOf(record.state)->worker, " was not heard of")});
  }
}

// A silent worker's leases have just expired. Workers are some hundreds at most, so they have no index.
void ForgetWorkers(Decision& decision) {
  for (const auto& [name, worker] : decision.before().workers) {
    const bool silent = worker.last_seen + decision.before().options.lease_ttl <= decision.now();
    if (silent) decision.Add(ForgetWorker{name});
  }
}

}  // namespace

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const Tick&, Instant now) {
  Decision decision(state, now);
  ExpireLeases(decision);
  decision.EndBackoffs();
  ForgetWorkers(decision);
  return decision.Take();
}

}  // namespace roar::schedule
