#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/experiment/job_spec.h"
#include "core/schedule/change.h"
#include "core/schedule/event.h"
#include "core/schedule/job_record.h"
#include "core/schedule/job_state.h"
#include "core/schedule/state.h"

// The part of the coordinator that decides. It owns the state of every job in memory and knows no clock, storage,
// thread or transport. Decide() is const: it answers an event with the changes that would follow. The owner stores the
// changes and, once they are durable, applies them. (The coordinator applies first and discards its memory if the
// commit fails.)

namespace roar::schedule {

// A job that a worker should be running now.
struct DesiredJob {
  JobKey key;
  std::int64_t epoch = 0;
  // Failed attempts so far, plus one.
  std::int64_t attempt = 0;
};

// Why a job is not running, as data; a person's sentence is made by the client.
struct WaitReason {
  // kNotWaiting: it runs, has succeeded, or a worker that has a free slot takes it at its next call.
  enum class Kind { kNotWaiting, kInputsMissing, kBackoff, kNoFreeSlot, kNoWorker, kFailed, kCanceled, kInputFailed };
  Kind kind = Kind::kNotWaiting;
  // kInputsMissing: the inputs, or shards, that are not there yet. kInputFailed: the job that failed.
  std::vector<JobKey> jobs;
  // kBackoff: until it may run again.
  absl::Duration remaining;
  // kFailed, kInputFailed: the kind of failure and its reason.
  std::string detail;
};

// Thread-compatible: one owner at a time (the coordinator's thread). Copies are independent.
class Scheduler {
 public:
  explicit Scheduler(SchedulerOptions options, Instant started) { state_ = {.options = options, .started = started}; }

  // What follows from the event at `now`. Errors: InvalidArgument for a graph in which a job comes twice or an input
  // does not come before its user, and for an imported shard; NotFound for an unknown sweep; FailedPrecondition for an
  // imported result whose inputs have no result here or are not those that it was made of. Unknown jobs in a worker's
  // report are ignored, never an error.
  absl::StatusOr<std::vector<Change>> Decide(const Event& event, Instant now) const;

  // Only changes that Decide made of the present state, in their order.
  void Apply(const std::vector<Change>& changes);

  // What the worker should be running; a job that it runs and that is not listed must be stopped.
  std::vector<DesiredJob> DesiredJobs(const std::string& worker, const std::string& incarnation) const;

  // The earliest moment at which Tick would change something, or InfiniteDuration.
  Instant NextDeadline() const;

  // The job that the record is a shard of, or the record itself: the one that sweeps know.
  const JobRecord& WholeOf(const JobRecord& record) const { return schedule::WholeOf(state_, record); }
  const std::map<JobKey, JobRecord>& jobs() const { return state_.jobs; }
  const std::map<std::string, WorkerRecord>& workers() const { return state_.workers; }
  const std::map<std::int64_t, std::vector<AddSweep::Member>>& sweeps() const { return state_.sweeps; }
  bool IsCanceled(std::int64_t sweep_id) const { return state_.canceled_sweeps.contains(sweep_id); }

  // Puts back a state read from storage: used in place of Decide when the coordinator starts, in any order, and then
  // FinishRestore() once. Of a record only the job, state, last epoch and failures are read. A leased or running job
  // comes back with its lease, which lives for one TTL from `started`; back-offs have ended.
  void Restore(AddSweep sweep);
  void Restore(JobRecord record);
  // Derives the rest. Internal when what was restored breaks an invariant: the storage is damaged.
  absl::Status FinishRestore();

  // An unknown job is not waiting.
  WaitReason WhyWaiting(const JobKey& key, Instant now) const;

  // OK, or Internal with the first broken invariant: every job's inputs exist; READY, LEASED, RUNNING and SUCCEEDED
  // only when all inputs succeeded, READY, LEASED and RUNNING only when all shards did, and PENDING only when one of
  // either is still to come; a split job has all its shards, which are unfinished only while it is PENDING; every job
  // unfinished only while a sweep needs it;
  // a lease's epoch equal to last_epoch; no worker holds more than its slots; SUCCEEDED has an output; all that is
  // derived is what deriving it afresh gives. Every scheduler test ends with it, and debug builds call it after every
  // Apply while the jobs are few.
  absl::Status CheckInvariants() const;

 private:
  State state_;
};

}  // namespace roar::schedule
