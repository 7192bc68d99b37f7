#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/experiment/job_spec.h"
#include "core/schedule/change.h"
#include "core/schedule/job_index.h"
#include "core/schedule/job_record.h"
#include "core/schedule/job_state.h"

// Everything the scheduler knows between two events. Deciding reads it, applying writes it.

namespace roar::schedule {

struct SchedulerOptions {
  absl::Duration lease_ttl = absl::Seconds(60);
  // Wait after the first failed attempt of a kind; doubled with each further one, up to the longest.
  absl::Duration retry_backoff = absl::Seconds(1);
  absl::Duration retry_backoff_longest = absl::Seconds(60);
  int runner_crash_attempts_most = 5;
  int deterministic_attempts_most = 2;
  int out_of_memory_attempts_most = 2;
  // Into which a job is split.
  int shards_most = 8;
};

struct WorkerRecord {
  std::string incarnation;
  int slots = 0;
  bool draining = false;
  Instant last_seen;
};

struct State {
  SchedulerOptions options;
  // After the coordinator's start no lease expires for one TTL: workers need time to come back.
  Instant started;
  std::map<JobKey, JobRecord> jobs;
  std::map<std::string, WorkerRecord> workers;
  std::map<std::int64_t, std::vector<AddSweep::Member>> sweeps;
  std::set<std::int64_t> canceled_sweeps;
  JobIndex index;
  std::int64_t next_plan_order = 0;
};

// The job that the record is a shard of, or the record itself.
const JobRecord& WholeOf(const State& state, const JobRecord& record);

// What the job waits for: its inputs and its shards.
template <class Action>
void ForEachAwaited(const JobRecord& record, const Action& action) {
  std::ranges::for_each(record.job.inputs, action);
  std::ranges::for_each(record.shards, action);
}
template <class Predicate>
bool AllAwaited(const JobRecord& record, const Predicate& predicate) {
  return std::ranges::all_of(record.job.inputs, predicate) && std::ranges::all_of(record.shards, predicate);
}

// Whether a sweep that is not canceled asks for the job, or for the one that it is a shard of, leaving `except` out of
// account.
bool IsNeeded(const State& state, const JobRecord& record, std::optional<std::int64_t> except = std::nullopt);

// Raises the longest chain of what the record waits for, and so on, to what the record's own implies.
void RaiseChainsAbove(State& state, const JobRecord& record);

}  // namespace roar::schedule
