#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/experiment/job_spec.h"
#include "core/schedule/job_state.h"
#include "core/sweep/plan.h"

namespace roar::schedule {

// What is known of a job. The first four are its own; the rest is derived from the other jobs and the sweeps.
struct JobRecord {
  PlannedJob job;
  JobState state;
  // Leases ever granted.
  std::int64_t last_epoch = 0;
  std::map<FailureKind, int> failures;

  // Of an `explain` job that was split: its parts by index, which it then waits for beside its inputs. Never changed
  // once there. A shard is in no sweep: it is needed while its job waits.
  std::vector<JobKey> shards;
  // Jobs that wait for this one: they have it among their inputs or their shards.
  std::vector<JobKey> dependents;
  std::set<std::int64_t> sweeps;
  // Jobs on the longest path from here to an end, itself included: the priority, since chains are the critical path.
  int longest_chain = 1;
  // Grows in the order in which jobs were first asked for; breaks ties of priority.
  std::int64_t plan_order = 0;
};

}  // namespace roar::schedule
