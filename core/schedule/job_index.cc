#include "core/schedule/job_index.h"

namespace roar::schedule {

Rank RankOf(const JobRecord& record) { return {record.longest_chain, record.plan_order}; }

void JobIndex::Insert(const JobRecord& record) {
  const JobKey& key = record.job.key;
  if (const auto* ready = std::get_if<Ready>(&record.state)) {
    if (ready->not_before == absl::ZeroDuration()) {
      ready_.emplace(RankOf(record), key);
    } else {
      backoffs_.emplace(ready->not_before, key);
    }
  } else if (const Lease* lease = LeaseOf(record.state)) {
    lease_ends_.emplace(lease->expires, key);
    held_[lease->worker].insert(key);
  }
}

void JobIndex::Erase(const JobRecord& record) {
  const JobKey& key = record.job.key;
  if (const auto* ready = std::get_if<Ready>(&record.state)) {
    ready_.erase(RankOf(record));
    backoffs_.erase({ready->not_before, key});
  } else if (const Lease* lease = LeaseOf(record.state)) {
    lease_ends_.erase({lease->expires, key});
    auto held = held_.find(lease->worker);
    held->second.erase(key);
    if (held->second.empty()) held_.erase(held);
  }
}

const std::set<JobKey>& JobIndex::HeldBy(const std::string& worker) const {
  static const std::set<JobKey> nothing;
  auto held = held_.find(worker);
  return held == held_.end() ? nothing : held->second;
}

}  // namespace roar::schedule
