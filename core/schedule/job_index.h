#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/experiment/job_spec.h"
#include "core/schedule/job_record.h"
#include "core/schedule/job_state.h"

namespace roar::schedule {

// A place in the ready queue: the longest chain first, then the order of the plan.
struct Rank {
  int longest_chain = 1;
  std::int64_t plan_order = 0;
  bool operator==(const Rank&) const = default;
  bool operator<(const Rank& other) const {
    if (longest_chain != other.longest_chain) return longest_chain > other.longest_chain;
    return plan_order < other.plan_order;
  }
};
using ReadyQueue = std::map<Rank, JobKey>;
using Deadlines = std::set<std::pair<Instant, JobKey>>;

Rank RankOf(const JobRecord& record);

// Finds the jobs that a call or a moment concerns without looking at the others. A function of the records' states,
// ranks and leases: erase a record before any of these changes and insert it afterwards.
class JobIndex {
 public:
  void Insert(const JobRecord& record);
  void Erase(const JobRecord& record);

  // READY and free to be leased.
  const ReadyQueue& ready() const { return ready_; }
  // READY, but not before the moment (`not_before` other than zero).
  const Deadlines& backoffs() const { return backoffs_; }
  // LEASED or RUNNING, by the moment at which the lease ends.
  const Deadlines& lease_ends() const { return lease_ends_; }
  // LEASED to or RUNNING on the worker, of whichever incarnation.
  const std::set<JobKey>& HeldBy(const std::string& worker) const;

  bool operator==(const JobIndex&) const = default;

 private:
  ReadyQueue ready_;
  Deadlines backoffs_;
  Deadlines lease_ends_;
  // No worker with an empty set.
  std::map<std::string, std::set<JobKey>> held_;
};

}  // namespace roar::schedule
