#include "server/service_state.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "core/sweep/sweep_spec.h"

namespace roar::server {
namespace {

using schedule::JobStateKind;

}  // namespace

double DeviceSeconds(const JobResult& result) {
  double seconds = 0;
  for (const auto& [phase, value] : result.provenance.seconds_by_phase) seconds += value;
  return seconds;
}

std::int64_t SweepRecord::Unfinished() const {
  return Count(JobStateKind::kPending) + Count(JobStateKind::kReady) + Count(JobStateKind::kLeased) +
         Count(JobStateKind::kRunning);
}

absl::StatusOr<std::unique_ptr<ServiceState>> ServiceState::Load(ControlStore& store, ArtifactStore& artifacts,
                                                                 schedule::SchedulerOptions options,
                                                                 schedule::Instant now) {
  std::unique_ptr<ServiceState> state(new ServiceState(store, artifacts, options, now));
  if (absl::Status status = state->Restore(); !status.ok()) {
    return absl::DataLossError(absl::StrCat("control.db: ", std::string(status.message())));
  }
  return state;
}

absl::Status ServiceState::Restore() {
  for (schedule::JobRecord& job : store_.Jobs()) {
    ++job_counts_[static_cast<std::size_t>(schedule::KindOf(job.state))];
    scheduler_.Restore(std::move(job));
  }
  std::vector<StoredSweep> stored = store_.Sweeps();
  for (const StoredSweep& sweep : stored) scheduler_.Restore(store_.Members(sweep));
  if (absl::Status status = scheduler_.FinishRestore(); !status.ok()) return status;
  for (StoredSweep& sweep : stored) {
    const std::int64_t id = sweep.id;
    Plan plan = PlanAsStored(sweep);
    AddRecord(std::move(sweep), std::move(plan));
    CountMembers(sweeps_.at(id));
  }
  store_.ForEachResult([this](const JobKey& key, const JobResult& result) {
    CountFinished(KindOf(scheduler_.jobs().at(key).job.spec), result);
  });
  for (v1::DatasetInfo& dataset : store_.Datasets()) datasets_[dataset.name()] = std::move(dataset);
  return absl::OkStatus();
}

Plan ServiceState::PlanAsStored(const StoredSweep& sweep) const {
  Plan plan = MakePlan(sweep.spec);
  const bool as_stored = std::ranges::equal(plan.jobs, scheduler_.sweeps().at(sweep.id), {}, &PlannedJob::key,
                                            &schedule::AddSweep::Member::key);
  return as_stored ? std::move(plan) : Plan{};
}

void ServiceState::SetNow(schedule::Instant now, std::int64_t unix_seconds) {
  now_ = now;
  unix_seconds_ = unix_seconds;
}

void ServiceState::AddRecord(StoredSweep stored, Plan plan) {
  const std::int64_t id = stored.id;
  sweep_ids_by_key_[stored.key] = id;
  SweepRecord& record = sweeps_[id];
  record.stored = std::move(stored);
  record.labels = JobLabels(plan);
  record.plan = std::move(plan);
  record.plan.jobs.clear();
  record.plan.jobs.shrink_to_fit();
}

void ServiceState::CountMembers(SweepRecord& sweep) {
  sweep.counts = {};
  sweep.cached = 0;
  for (const schedule::AddSweep::Member& member : scheduler_.sweeps().at(sweep.stored.id)) {
    if (member.cached) {
      ++sweep.cached;
    } else {
      ++sweep.counts[static_cast<std::size_t>(schedule::KindOf(scheduler_.jobs().at(member.key).state))];
    }
  }
}

absl::StatusOr<SubmittedSweep> ServiceState::SubmitSweep(const SweepSpec& spec) {
  for (const SweepDataset& dataset : spec.datasets) {
    if (!artifacts_.Has({ArtifactKind::kDataset, dataset.reference.content_sha256})) {
      return absl::FailedPreconditionError(absl::StrCat("the content of data set '", dataset.name, "' (",
                                                        dataset.reference.content_sha256, ") is not here: upload it"));
    }
  }
  Plan plan = MakePlan(spec);
  SubmittedSweep submitted;
  submitted.jobs_total = static_cast<std::int64_t>(plan.jobs.size());
  const std::string key = SweepKey(spec);
  const auto known = sweep_ids_by_key_.find(key);
  submitted.resumed = known != sweep_ids_by_key_.end();
  submitted.id = submitted.resumed ? known->second : sweeps_.empty() ? 1 : sweeps_.rbegin()->first + 1;

  absl::StatusOr<std::vector<schedule::Change>> changes =
      scheduler_.Decide(schedule::SubmitSweep{submitted.id, plan.jobs}, now_);
  if (!changes.ok()) return changes.status();
  if (!submitted.resumed) {
    StoredSweep stored{submitted.id, key, spec, unix_seconds_};
    store_.InsertSweep(stored);
    AddRecord(std::move(stored), std::move(plan));
  }
  Carry(*std::move(changes));
  submitted.jobs_cached = sweeps_.at(submitted.id).cached;
  return submitted;
}

absl::StatusOr<std::int64_t> ServiceState::CancelSweep(std::int64_t sweep_id) {
  const auto found = sweeps_.find(sweep_id);
  if (found == sweeps_.end()) return absl::NotFoundError(absl::StrCat("no sweep ", sweep_id));
  SweepRecord& sweep = found->second;
  if (sweep.stored.finished_unix_seconds != 0) return 0;
  const std::int64_t before = sweep.Count(JobStateKind::kCanceled);
  if (absl::Status status = Run(schedule::CancelSweep{sweep_id}); !status.ok()) return status;
  return sweep.Count(JobStateKind::kCanceled) - before;
}

void ServiceState::Tick() {
  if (scheduler_.NextDeadline() > now_) return;
  ticking_ = true;
  const absl::Status status = Run(schedule::Tick{});
  ticking_ = false;
  if (!status.ok()) throw std::logic_error(status.ToString());
}

bool ServiceState::IsUploaded(const JobResult& result) const {
  const bool of_training = std::holds_alternative<TrainResult>(result.outcome);
  return artifacts_.Has({of_training ? ArtifactKind::kCheckpoint : ArtifactKind::kRanking, OutputSha256(result)});
}

SynchronizeReply ServiceState::Synchronize(const schedule::Synchronize& report, const WorkerDevice& device) {
  schedule::Synchronize checked = report;
  SynchronizeReply reply;
  for (schedule::FinishedReport& finished : checked.finished) {
    reply.acknowledged.push_back(finished.key);
    const auto* result = std::get_if<JobResult>(&finished.outcome);
    if (result == nullptr) {
      if (auto reason = WhyNoCheckpoint(finished)) {
        finished.outcome = schedule::FailureReport{schedule::FailureKind::kDeterministic, *std::move(reason)};
      }
    } else if (!IsUploaded(*result)) {
      finished.outcome =
          schedule::FailureReport{schedule::FailureKind::kRunnerCrashed,
                                  absl::StrCat("the result names ", OutputSha256(*result), ", which was not uploaded")};
    }
  }
  devices_[report.worker] = device;
  if (absl::Status status = Run(checked); !status.ok()) throw std::logic_error(status.ToString());
  reply.desired = AssignmentsOf(report.worker, report.incarnation);
  return reply;
}

std::optional<schedule::SucceededJob> ServiceState::FindSucceeded(const JobKey& key) const {
  const auto job = scheduler_.jobs().find(key);
  if (job == scheduler_.jobs().end()) return std::nullopt;
  const auto* succeeded = std::get_if<schedule::Succeeded>(&job->second.state);
  if (succeeded == nullptr) return std::nullopt;
  return schedule::SucceededJob{&job->second.job.spec, &succeeded->output_sha256};
}

// A leased job: what it reads has succeeded.
Assignment ServiceState::AssignmentOf(const schedule::DesiredJob& desired) const {
  const schedule::JobRecord& record = scheduler_.jobs().at(desired.key);
  Assignment assignment{desired, record.job.spec, std::nullopt, std::nullopt, {}};
  // A split job is done by merging its shards.
  for (const JobKey& shard : record.shards) {
    assignment.inputs.push_back({"shard", *FindSucceeded(shard).value().output_sha256});
  }
  if (!record.shards.empty()) return assignment;
  const schedule::JobRecord& whole = scheduler_.WholeOf(record);
  const auto find = [this](const JobKey& input) { return FindSucceeded(input); };
  assignment.inputs = schedule::InputsOf(whole.job.spec, find).value().hashes;
  const auto* explain = std::get_if<ExplainSpec>(&whole.job.spec);
  if (explain == nullptr) return assignment;
  if (const auto* train = std::get_if<JobKey>(&explain->source)) {
    assignment.explained_train = std::get<TrainSpec>(*FindSucceeded(*train).value().spec);
  }
  if (&whole != &record) assignment.whole = *explain;
  return assignment;
}

std::vector<Assignment> ServiceState::AssignmentsOf(const std::string& worker, const std::string& incarnation) const {
  std::vector<Assignment> assignments;
  for (const schedule::DesiredJob& desired : scheduler_.DesiredJobs(worker, incarnation)) {
    assignments.push_back(AssignmentOf(desired));
  }
  return assignments;
}

absl::Status ServiceState::RegisterDataset(const v1::DatasetInfo& dataset, bool replace) {
  const ArtifactStore::Stored content = artifacts_.Look({ArtifactKind::kDataset, dataset.content_sha256()});
  if (!content.complete) {
    return absl::FailedPreconditionError(
        absl::StrCat("the content ", dataset.content_sha256(), " is not here: upload it first"));
  }
  const auto known = datasets_.find(dataset.name());
  if (known != datasets_.end() && known->second.content_sha256() != dataset.content_sha256() && !replace) {
    return absl::AlreadyExistsError(absl::StrCat("data set '", dataset.name(), "' stands for ",
                                                 known->second.content_sha256(),
                                                 ": choose another name or replace it"));
  }
  v1::DatasetInfo& stored = datasets_[dataset.name()];
  stored = dataset;
  stored.set_stored_bytes(content.bytes);
  store_.PutDataset(stored);
  return absl::OkStatus();
}

void ServiceState::RememberReply(const std::string& request_id, const std::string& reply) {
  store_.PutReply(request_id, reply, unix_seconds_);
}

std::int64_t ServiceState::WorkersTakingJobs() const {
  return std::ranges::count_if(scheduler_.workers(), [](const auto& worker) { return !worker.second.draining; });
}

Gauges ServiceState::CurrentGauges() const {
  Gauges gauges;
  gauges.jobs = job_counts_;
  gauges.workers_active = WorkersTakingJobs();
  gauges.workers_draining = std::ssize(scheduler_.workers()) - gauges.workers_active;
  for (const auto& [id, sweep] : sweeps_) {
    ++(sweep.stored.finished_unix_seconds != 0 ? gauges.sweeps_finished : gauges.sweeps_running);
  }
  return gauges;
}

}  // namespace roar::server
