#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"
#include "core/schedule/job_state.h"
#include "core/sweep/plan.h"

// The part of the coordinator that decides. It owns the state of every job in memory and knows no clock, storage, thread
// or transport. Decide() is const: it answers an event with the changes that would follow. The owner stores the changes
// and, once they are durable, applies them. (The coordinator applies first and discards its memory if the commit fails.)

namespace roar::schedule {

struct SchedulerOptions {
  absl::Duration lease_ttl = absl::Seconds(60);
  // After the coordinator's start no lease expires for one TTL: workers need time to come back.
  absl::Duration retry_backoff = absl::Seconds(1);
  absl::Duration retry_backoff_longest = absl::Seconds(60);
  int runner_crash_attempts_most = 3;
  int deterministic_attempts_most = 2;
  int out_of_memory_attempts_most = 2;
};

// ---- What happens ----

struct SubmitSweep {
  std::int64_t sweep_id = 0;
  std::vector<PlannedJob> jobs;
};
// Jobs no other unfinished sweep needs become CANCELED.
struct CancelSweep {
  std::int64_t sweep_id = 0;
};
// FAILED, ABORTED and CANCELED jobs of the sweep are planned again; SUCCEEDED ones are kept.
struct RetrySweep {
  std::int64_t sweep_id = 0;
};

struct RunningReport {
  JobKey key;
  std::int64_t epoch = 0;
  Phase phase = Phase::kStaging;
  double progress = 0;
};
struct FailureReport {
  FailureKind kind = FailureKind::kWorkerLost;
  std::string reason;
};
struct FinishedReport {
  JobKey key;
  std::int64_t epoch = 0;
  std::variant<JobResult, FailureReport> outcome;
};
// One idempotent call for start, heartbeat, completion, drain and reconnect (orchestration.md section 2).
struct Synchronize {
  std::string worker;
  std::string incarnation;
  int slots = 0;
  std::vector<RunningReport> running;
  std::vector<FinishedReport> finished;
  // A draining worker is given no new job.
  bool draining = false;
};
// Time has passed: leases may have expired, back-offs ended.
struct Tick {};

using Event = std::variant<SubmitSweep, CancelSweep, RetrySweep, Synchronize, Tick>;

// ---- What follows ----

struct AddSweep {
  std::int64_t sweep_id = 0;
  // In plan order. A job already SUCCEEDED at this moment is `cached` for this sweep.
  struct Member {
    JobKey key;
    bool cached = false;
  };
  std::vector<Member> members;
};
struct AddJob {
  PlannedJob job;
  JobState state;
};
struct ChangeState {
  JobKey key;
  JobState state;
  // Counters after the change: leases ever granted (= the last epoch), and failed attempts by kind.
  std::int64_t last_epoch = 0;
  std::map<FailureKind, int> failures;
};
// A running job's lease lives on, with what it reported. Kept in memory only: not worth a commit.
struct RenewLease {
  JobKey key;
  Phase phase = Phase::kStaging;
  double progress = 0;
  Instant expires;
};
// The result that becomes the job's; comes with its ChangeState to Succeeded. `late` when its lease had ended.
struct AcceptResult {
  JobKey key;
  std::int64_t epoch = 0;
  JobResult result;
  bool late = false;
};
// A result that was not taken: somebody finished first, or the lease was another's.
struct SupersedeResult {
  JobKey key;
  std::int64_t epoch = 0;
  std::string reason;
};
struct SeeWorker {
  std::string worker;
  std::string incarnation;
  int slots = 0;
  bool draining = false;
  Instant seen;
};
// Not heard of for one TTL and holding nothing: forgotten.
struct ForgetWorker {
  std::string worker;
};

using Change = std::variant<AddSweep, AddJob, ChangeState, RenewLease, AcceptResult, SupersedeResult, SeeWorker, ForgetWorker>;

// ---- What is known ----

struct JobRecord {
  PlannedJob job;
  JobState state;
  std::vector<JobKey> dependents;
  std::set<std::int64_t> sweeps;
  std::int64_t last_epoch = 0;
  std::map<FailureKind, int> failures;
  // Jobs on the longest path from here to an end, itself included: the priority, since chains are the critical path.
  int longest_chain = 1;
};
struct WorkerRecord {
  std::string incarnation;
  int slots = 0;
  bool draining = false;
  Instant last_seen;
};

// A job that a worker should be running now.
struct DesiredJob {
  JobKey key;
  std::int64_t epoch = 0;
  std::int64_t attempt = 0;
};

// Why a job is not running, as data; a person's sentence is made by the client.
struct WaitReason {
  enum class Kind { kNotWaiting, kInputsMissing, kBackoff, kNoFreeSlot, kNoWorker, kFailed, kCanceled, kInputFailed };
  Kind kind = Kind::kNotWaiting;
  // kInputsMissing: the inputs that are not there yet. kInputFailed: the job that failed.
  std::vector<JobKey> jobs;
  absl::Duration remaining;
  std::string detail;
};

// Thread-compatible: one owner at a time (the coordinator's thread).
class Scheduler {
 public:
  explicit Scheduler(SchedulerOptions options, Instant started) : options_(options), started_(started) {}

  // What follows from the event at `now`. Errors: InvalidArgument for a graph with an unknown or later input; NotFound
  // for an unknown sweep. Unknown jobs in a worker's report are superseded or ignored, never an error.
  absl::StatusOr<std::vector<Change>> Decide(const Event& event, Instant now) const;

  void Apply(const std::vector<Change>& changes);

  // What the worker should be running; a job that it runs and that is not listed must be stopped.
  std::vector<DesiredJob> DesiredJobs(const std::string& worker, const std::string& incarnation) const;

  // The earliest moment at which Tick would change something, or InfiniteDuration.
  Instant NextDeadline() const;

  const std::map<JobKey, JobRecord>& jobs() const { return jobs_; }
  const std::map<std::string, WorkerRecord>& workers() const { return workers_; }
  const std::map<std::int64_t, std::vector<AddSweep::Member>>& sweeps() const { return sweeps_; }

  // Puts back a state read from storage: used in place of Decide when the coordinator starts. A leased or running job
  // comes back with its lease, which lives for one TTL from `started`.
  void Restore(AddSweep sweep);
  void Restore(JobRecord record);

  WaitReason WhyWaiting(const JobKey& key, Instant now) const;

  // OK, or Internal with the first broken invariant: every unfinished job's inputs exist; READY exactly when all inputs
  // succeeded; a lease only in LEASED and RUNNING and its epoch equal to last_epoch; no worker holds more than its slots;
  // SUCCEEDED has an output. Every scheduler test ends with it, and debug builds call it after every Apply.
  absl::Status CheckInvariants() const;

 private:
  SchedulerOptions options_;
  Instant started_;
  std::map<JobKey, JobRecord> jobs_;
  std::map<std::string, WorkerRecord> workers_;
  std::map<std::int64_t, std::vector<AddSweep::Member>> sweeps_;
};

}  // namespace roar::schedule
