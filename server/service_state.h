#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/schedule/result_check.h"
#include "core/schedule/scheduler.h"
#include "server/job_labels.h"
#include "server/metrics.h"
#include "server/storage/artifact_store.h"
#include "server/storage/control_store.h"

namespace roar::server {

// A sweep in memory. Its jobs are the scheduler's; the plan keeps the cells. It is empty where this version would plan
// other jobs than were planned then: nothing tells any more which curve they belong to.
struct SweepRecord {
  StoredSweep stored;
  Plan plan;
  JobLabels labels;
  // Members by state, without the cached ones.
  std::array<std::int64_t, 8> counts{};
  std::int64_t cached = 0;
  // Grows with every change of a member, progress included.
  std::int64_t version = 1;

  std::int64_t Count(schedule::JobStateKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
  // Planned by a version that computed its jobs in another way.
  bool IsOutdated() const { return plan.cells.empty(); }
  // Members on which something is still to happen.
  std::int64_t Unfinished() const;
};

// What a worker should be running, with all it needs to run it.
struct Assignment {
  schedule::DesiredJob desired;
  JobSpec spec;
  // For the explain job of a model, and its shards: the training that it explains.
  std::optional<TrainSpec> explained_train;
  // For a shard: the job that it is one of.
  std::optional<ExplainSpec> whole;
  std::vector<InputHash> inputs;
};
struct SynchronizeReply {
  std::vector<Assignment> desired;
  std::vector<JobKey> acknowledged;
};

struct SubmittedSweep {
  std::int64_t id = 0;
  bool resumed = false;
  std::int64_t jobs_total = 0;
  std::int64_t jobs_cached = 0;
};

// What became of a result that another coordinator had accepted.
struct ImportedResult {
  enum class Verdict { kNew, kKnown, kConflict };
  Verdict verdict = Verdict::kNew;
  // Of a conflict: the job's result here, where it has one.
  std::optional<JobResult> kept;
  // Of a conflict: else, why this one cannot be its.
  std::string reason;
};

// What is known of a worker beside what the scheduler needs.
struct WorkerDevice {
  std::string device_kind;
  std::string software_version;
};

// Seconds that the result took on a slot, all phases together.
double DeviceSeconds(const JobResult& result);

// Shards are none of their own: the explanation that they are parts of has their seconds.
struct FinishedJobs {
  std::int64_t count = 0;
  double seconds = 0;
};

// Everything the coordinator has in memory: the scheduler, and what people see of it. Each mutation decides, writes
// into the store's open transaction and applies; the owner commits, or discards the whole object. Only for the
// coordinator's thread. What the store throws passes through.
class ServiceState {
 public:
  // Reads everything back. DataLoss: what was read breaks an invariant.
  static absl::StatusOr<std::unique_ptr<ServiceState>> Load(ControlStore& store, ArtifactStore& artifacts,
                                                            schedule::SchedulerOptions options, schedule::Instant now);

  // The time of all that follows: on the steady clock, and in seconds since 1970.
  void SetNow(schedule::Instant now, std::int64_t unix_seconds);
  schedule::Instant now() const { return now_; }

  // The spec is valid. FailedPrecondition: a data set's content is not here.
  absl::StatusOr<SubmittedSweep> SubmitSweep(const SweepSpec& spec);
  // Jobs canceled; 0 for a finished sweep. NotFound: no such sweep.
  absl::StatusOr<std::int64_t> CancelSweep(std::int64_t sweep_id);
  SynchronizeReply Synchronize(const schedule::Synchronize& report, const WorkerDevice& device);
  // The result is complete, and its ranking here.
  ImportedResult Import(const JobSpec& spec, const JobResult& result);
  void Tick();
  // FailedPrecondition: the content is not here. AlreadyExists: the name stands for other content and is not replaced.
  absl::Status RegisterDataset(const v1::DatasetInfo& dataset, bool replace);

  // The reply that an earlier call with this id got.
  std::optional<std::string> KnownReply(const std::string& request_id) { return store_.Reply(request_id); }
  void RememberReply(const std::string& request_id, const std::string& reply);

  const schedule::Scheduler& scheduler() const { return scheduler_; }
  const std::map<std::int64_t, SweepRecord>& sweeps() const { return sweeps_; }
  const std::map<std::string, v1::DatasetInfo>& datasets() const { return datasets_; }
  const std::map<std::string, WorkerDevice>& devices() const { return devices_; }
  std::optional<JobResult> Result(const JobKey& key) { return store_.Result(key); }
  // Of trainings or explanations.
  FinishedJobs Finished(JobKind kind) const { return finished_[static_cast<std::size_t>(kind)]; }
  std::int64_t JobsIn(schedule::JobStateKind kind) const { return job_counts_[static_cast<std::size_t>(kind)]; }
  Gauges CurrentGauges() const;
  // Those that are connected and not draining.
  std::int64_t WorkersTakingJobs() const;
  std::vector<Assignment> AssignmentsOf(const std::string& worker, const std::string& incarnation) const;

  // Grows whenever a job is added, changes its state or may be leased again.
  std::int64_t version() const { return version_; }
  TransitionCounts TakeCounts() { return std::exchange(counts_, {}); }

 private:
  ServiceState(ControlStore& store, ArtifactStore& artifacts, schedule::SchedulerOptions options, schedule::Instant now)
      : store_(store), artifacts_(artifacts), scheduler_(options, now), now_(now) {}

  absl::Status Restore();
  Plan PlanAsStored(const StoredSweep& sweep) const;
  absl::Status Run(const schedule::Event& event);
  // Stores, counts and applies.
  void Carry(std::vector<schedule::Change> changes);
  const JobKey* CountTransition(const schedule::Change& change);
  // Counts it, and adds to a split job's the work of its shards.
  void TakeResult(schedule::AcceptResult& accepted);
  void CountState(const schedule::ChangeState& change);
  void MoveJob(const schedule::JobRecord& record, std::optional<schedule::JobStateKind> before,
               std::set<std::int64_t>& touched);
  void AddRecord(StoredSweep stored, Plan plan);
  void CountMembers(SweepRecord& sweep);
  void UpdateFinished(SweepRecord& sweep);
  bool IsUploaded(const JobResult& result) const;
  std::optional<std::string> WhyNoCheckpoint(const schedule::FinishedReport& failed) const;
  void CountFinished(JobKind kind, const JobResult& result);
  std::optional<schedule::SucceededJob> FindSucceeded(const JobKey& key) const;
  Assignment AssignmentOf(const schedule::DesiredJob& desired) const;

  ControlStore& store_;
  ArtifactStore& artifacts_;
  schedule::Scheduler scheduler_;
  schedule::Instant now_;
  std::int64_t unix_seconds_ = 0;
  bool ticking_ = false;

  std::map<std::int64_t, SweepRecord> sweeps_;
  std::map<std::string, std::int64_t> sweep_ids_by_key_;
  std::map<std::string, v1::DatasetInfo> datasets_;
  std::map<std::string, WorkerDevice> devices_;
  std::array<std::int64_t, 8> job_counts_{};
  std::array<FinishedJobs, 2> finished_{};
  std::int64_t version_ = 1;
  TransitionCounts counts_;
};

}  // namespace roar::server
