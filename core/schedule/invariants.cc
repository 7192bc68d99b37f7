#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/schedule/scheduler.h"

namespace roar::schedule {
namespace {

absl::Status Broken(const JobRecord& record, const std::string& what) {
  return absl::InternalError(
      absl::StrCat("job ", record.job.key.Short(), " (", std::string(Name(KindOf(record.state))), "): ", what));
}

// What the states of several jobs are together.
struct Summary {
  bool all_succeeded = true;
  bool one_never_comes = false;
};
Summary SummaryOf(const State& state, const std::vector<JobKey>& keys) {
  Summary summary;
  for (const JobKey& key : keys) {
    const JobStateKind kind = KindOf(state.jobs.at(key).state);
    summary.all_succeeded &= kind == JobStateKind::kSucceeded;
    summary.one_never_comes |= IsFinished(kind) && kind != JobStateKind::kSucceeded;
  }
  return summary;
}

absl::Status CheckAwaited(const State& state, const JobRecord& record) {
  if (!AllAwaited(record, [&](const JobKey& key) { return state.jobs.contains(key); })) {
    return Broken(record, "an input or shard of it is unknown");
  }
  const Summary inputs = SummaryOf(state, record.job.inputs);
  const Summary shards = SummaryOf(state, record.shards);
  const JobStateKind kind = KindOf(record.state);
  const bool pending = kind == JobStateKind::kPending;
  const bool all_succeeded = inputs.all_succeeded && shards.all_succeeded;
  if (pending && all_succeeded) return Broken(record, "it waits, but all that it waits for succeeded");
  if (pending && (inputs.one_never_comes || shards.one_never_comes)) return Broken(record, "an input will never come");
  const bool needs_inputs = kind >= JobStateKind::kReady && kind <= JobStateKind::kSucceeded;
  if (needs_inputs && !inputs.all_succeeded) return Broken(record, "an input has not succeeded");
  // A split job whose result was imported has succeeded without them.
  const bool needs_shards = needs_inputs && kind != JobStateKind::kSucceeded;
  if (needs_shards && !shards.all_succeeded) return Broken(record, "a shard has not succeeded");
  return absl::OkStatus();
}

// A shard is one of its job's, at its place, and under way only while that waits for it.
absl::Status CheckShard(const State& state, const JobRecord& record) {
  const auto* spec = std::get_if<ExplainShardSpec>(&record.job.spec);
  if (spec == nullptr) return absl::OkStatus();
  auto whole = state.jobs.find(spec->explanation);
  if (whole == state.jobs.end()) return Broken(record, "what it is a shard of is unknown");
  const std::vector<JobKey>& shards = whole->second.shards;
  const Shard& shard = spec->shard;
  const bool in_place = std::ssize(shards) == shard.count && shard.index >= 0 && shard.index < shard.count &&
                        shards[static_cast<std::size_t>(shard.index)] == record.job.key;
  if (!in_place) return Broken(record, "it is none of the shards of its job");
  if (!record.sweeps.empty()) return Broken(record, "it is a shard and in a sweep");
  const bool awaited = std::holds_alternative<Pending>(whole->second.state);
  if (!awaited && !IsFinished(KindOf(record.state))) return Broken(record, "its job does not wait for it");
  return absl::OkStatus();
}

absl::Status CheckState(const State& state, const JobRecord& record) {
  const Lease* lease = LeaseOf(record.state);
  if (lease != nullptr && lease->epoch != record.last_epoch) return Broken(record, "its lease is not the last granted");
  if (lease != nullptr && lease->worker.empty()) return Broken(record, "its lease is nobody's");
  const auto* succeeded = std::get_if<Succeeded>(&record.state);
  if (succeeded != nullptr && succeeded->output_sha256.empty()) return Broken(record, "it has no output");
  const auto* aborted = std::get_if<Aborted>(&record.state);
  const bool has_cause = aborted == nullptr || state.jobs.contains(JobKey(aborted->cause_key));
  if (!has_cause) return Broken(record, "its cause is unknown");
  if (!IsFinished(KindOf(record.state)) && !IsNeeded(state, record)) return Broken(record, "no sweep needs it");
  return absl::OkStatus();
}

bool Lists(const std::vector<JobKey>& keys, const JobKey& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Each dependent waits for the job; that none is missing is told by counting.
absl::Status CheckDependents(const State& state, const JobRecord& record) {
  int longest_chain = 1;
  for (const JobKey& key : record.dependents) {
    auto dependent = state.jobs.find(key);
    const bool awaits = dependent != state.jobs.end() && (Lists(dependent->second.job.inputs, record.job.key) ||
                                                          Lists(dependent->second.shards, record.job.key));
    if (!awaits) return Broken(record, absl::StrCat("job ", key.Short(), " does not wait for it"));
    longest_chain = std::max(longest_chain, dependent->second.longest_chain + 1);
  }
  if (longest_chain != record.longest_chain) return Broken(record, "its longest chain is another");
  return absl::OkStatus();
}

absl::Status CheckSweeps(const State& state) {
  std::size_t memberships = 0;
  for (const auto& [sweep_id, members] : state.sweeps) {
    for (const AddSweep::Member& member : members) {
      auto job = state.jobs.find(member.key);
      if (job == state.jobs.end() || !job->second.sweeps.contains(sweep_id)) {
        return absl::InternalError(absl::StrCat("job ", member.key.Short(), " does not know its sweep ", sweep_id));
      }
    }
    memberships += members.size();
  }
  for (const auto& [key, record] : state.jobs) memberships -= record.sweeps.size();
  return memberships == 0 ? absl::OkStatus() : absl::InternalError("a job has a sweep that does not name it");
}

absl::Status CheckWorkers(const State& state) {
  for (const auto& [name, worker] : state.workers) {
    const std::size_t held = state.index.HeldBy(name).size();
    if (static_cast<int>(held) <= worker.slots) continue;
    return absl::InternalError(absl::StrCat("worker ", name, " holds ", held, " jobs in ", worker.slots, " slots"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Scheduler::CheckInvariants() const {
  JobIndex index;
  std::size_t awaited = 0;
  std::size_t dependents = 0;
  for (const auto& [key, record] : state_.jobs) {
    for (auto check : {CheckAwaited, CheckShard, CheckState, CheckDependents}) {
      if (absl::Status status = check(state_, record); !status.ok()) return status;
    }
    index.Insert(record);
    awaited += record.job.inputs.size() + record.shards.size();
    dependents += record.dependents.size();
  }
  if (awaited != dependents) return absl::InternalError("a job does not know all jobs that wait for it");
  if (!(index == state_.index)) return absl::InternalError("the index is not that of the jobs");
  if (absl::Status status = CheckSweeps(state_); !status.ok()) return status;
  return CheckWorkers(state_);
}

}  // namespace roar::schedule
