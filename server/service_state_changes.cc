#include <algorithm>
#include <set>

#include "server/service_state.h"

// How decisions of the scheduler reach the store, and what is counted of them.

namespace roar::server {

using schedule::JobStateKind;

namespace {

void AddWork(const Provenance& shard, Provenance& whole) {
  for (const auto& [phase, seconds] : shard.seconds_by_phase) whole.seconds_by_phase[phase] += seconds;
  whole.peak_memory_bytes = std::max(whole.peak_memory_bytes, shard.peak_memory_bytes);
}

}  // namespace

absl::Status ServiceState::Run(const schedule::Event& event) {
  absl::StatusOr<std::vector<schedule::Change>> changes = scheduler_.Decide(event, now_);
  if (!changes.ok()) return changes.status();
  Carry(*std::move(changes));
  return absl::OkStatus();
}

void ServiceState::Carry(std::vector<schedule::Change> changes) {
  // The jobs concerned, with the state that they had; none for a new job.
  std::map<JobKey, std::optional<JobStateKind>> before;
  std::set<std::int64_t> touched;
  for (schedule::Change& change : changes) {
    if (auto* accepted = std::get_if<schedule::AcceptResult>(&change)) TakeResult(*accepted);
    store_.Put(change, unix_seconds_);
    if (const JobKey* key = CountTransition(change)) {
      const auto job = scheduler_.jobs().find(*key);
      before.emplace(
          *key, job == scheduler_.jobs().end() ? std::nullopt : std::optional(schedule::KindOf(job->second.state)));
    }
    if (const auto* set = std::get_if<schedule::SetSweepCanceled>(&change)) touched.insert(set->sweep_id);
  }
  scheduler_.Apply(changes);
  for (const auto& [key, state] : before) MoveJob(scheduler_.jobs().at(key), state, touched);
  for (const schedule::Change& change : changes) {
    if (const auto* sweep = std::get_if<schedule::AddSweep>(&change)) {
      CountMembers(sweeps_.at(sweep->sweep_id));
      touched.insert(sweep->sweep_id);
    }
  }
  for (std::int64_t id : touched) UpdateFinished(sweeps_.at(id));
}

// The job that the change concerns, or nullptr.
const JobKey* ServiceState::CountTransition(const schedule::Change& change) {
  if (const auto* changed = std::get_if<schedule::ChangeState>(&change)) {
    CountState(*changed);
    return &changed->key;
  }
  if (const auto* renewed = std::get_if<schedule::RenewLease>(&change)) return &renewed->key;
  if (const auto* job = std::get_if<schedule::AddJob>(&change)) return &job->job.key;
  if (std::holds_alternative<schedule::EndBackoff>(change)) {
    ++version_;
  } else if (std::holds_alternative<schedule::SupersedeResult>(change)) {
    ++counts_.superseded;
  } else if (const auto* forgotten = std::get_if<schedule::ForgetWorker>(&change)) {
    devices_.erase(forgotten->worker);
  } else if (const auto* set = std::get_if<schedule::SetSweepCanceled>(&change)) {
    sweeps_.at(set->sweep_id).stored.canceled = set->canceled;
  }
  return nullptr;
}

// A shard's seconds come with the explanation that it is a part of.
void ServiceState::CountFinished(JobKind kind, const JobResult& result) {
  if (kind == JobKind::kExplainShard) return;
  FinishedJobs& finished = finished_[static_cast<std::size_t>(kind)];
  ++finished.count;
  finished.seconds += DeviceSeconds(result);
}

void ServiceState::TakeResult(schedule::AcceptResult& accepted) {
  // An imported job may be added only now; no shard is imported.
  const auto job = scheduler_.jobs().find(accepted.key);
  const JobKind kind = job != scheduler_.jobs().end()                                 ? KindOf(job->second.job.spec)
                       : std::holds_alternative<TrainResult>(accepted.result.outcome) ? JobKind::kTrain
                                                                                      : JobKind::kExplain;
  // An imported result took no slot of this coordinator's workers, and has its own shards' work in it.
  if (accepted.epoch > 0) {
    counts_.device_seconds[static_cast<std::size_t>(kind)] += DeviceSeconds(accepted.result);
    for (const JobKey& shard : job->second.shards) {
      AddWork(store_.Result(shard).value().provenance, accepted.result.provenance);
    }
  }
  CountFinished(kind, accepted.result);
}

void ServiceState::CountState(const schedule::ChangeState& change) {
  const JobStateKind to = schedule::KindOf(change.state);
  if (to == JobStateKind::kLeased) ++counts_.leases_granted;
  const auto job = scheduler_.jobs().find(change.key);
  if (job == scheduler_.jobs().end()) return;
  if (ticking_ && schedule::LeaseOf(job->second.state) != nullptr) ++counts_.lease_expirations;
  if (schedule::IsFinished(to)) {
    ++counts_.finished[static_cast<std::size_t>(KindOf(job->second.job.spec))][static_cast<std::size_t>(to)];
  }
}

void ServiceState::MoveJob(const schedule::JobRecord& record, std::optional<JobStateKind> before,
                           std::set<std::int64_t>& touched) {
  const std::set<std::int64_t>& shown_in = scheduler_.WholeOf(record).sweeps;
  touched.insert(shown_in.begin(), shown_in.end());
  const JobStateKind after = schedule::KindOf(record.state);
  if (before == after) return;
  ++version_;
  ++job_counts_[static_cast<std::size_t>(after)];
  if (!before.has_value()) return;
  --job_counts_[static_cast<std::size_t>(*before)];
  // A cached member has succeeded and changes no more, so the job is an ordinary member of all its sweeps. A sweep that
  // is being added is counted as a whole afterwards.
  for (std::int64_t id : record.sweeps) {
    SweepRecord& sweep = sweeps_.at(id);
    --sweep.counts[static_cast<std::size_t>(*before)];
    ++sweep.counts[static_cast<std::size_t>(after)];
  }
}

void ServiceState::UpdateFinished(SweepRecord& sweep) {
  ++sweep.version;
  const bool finished = sweep.stored.canceled || sweep.Unfinished() == 0;
  if (finished == (sweep.stored.finished_unix_seconds != 0)) return;
  sweep.stored.finished_unix_seconds = finished ? unix_seconds_ : 0;
  store_.SetFinished(sweep.stored.id, sweep.stored.finished_unix_seconds);
}

}  // namespace roar::server
