#include "core/schedule/scheduler.h"

#include <algorithm>
#include <numeric>

#include "core/schedule/decide.h"

namespace roar::schedule {

absl::StatusOr<std::vector<Change>> Scheduler::Decide(const Event& event, Instant now) const {
  return std::visit([&](const auto& happened) { return DecideOn(state_, happened, now); }, event);
}

std::vector<DesiredJob> Scheduler::DesiredJobs(const std::string& worker, const std::string& incarnation) const {
  std::vector<DesiredJob> desired;
  for (const JobKey& key : state_.index.HeldBy(worker)) {
    const JobRecord& record = state_.jobs.at(key);
    const Lease& lease = *LeaseOf(record.state);
    if (lease.incarnation != incarnation) continue;
    const std::int64_t failures = std::accumulate(record.failures.begin(), record.failures.end(), std::int64_t{0},
                                                  [](std::int64_t sum, const auto& kind) { return sum + kind.second; });
    desired.push_back({key, lease.epoch, failures + 1});
  }
  return desired;
}

Instant Scheduler::NextDeadline() const {
  Instant next = absl::InfiniteDuration();
  const JobIndex& index = state_.index;
  if (!index.lease_ends().empty()) {
    next = std::max(index.lease_ends().begin()->first, state_.started + state_.options.lease_ttl);
  }
  if (!index.backoffs().empty()) next = std::min(next, index.backoffs().begin()->first);
  for (const auto& [name, worker] : state_.workers) {
    next = std::min(next, worker.last_seen + state_.options.lease_ttl);
  }
  return next;
}

}  // namespace roar::schedule
