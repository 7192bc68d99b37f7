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

absl::Status CheckInputs(const State& state, const JobRecord& record) {
  bool all_succeeded = true;
  bool one_never_comes = false;
  for (const JobKey& key : record.job.inputs) {
    auto input = state.jobs.find(key);
    if (input == state.jobs.end()) return Broken(record, absl::StrCat("its input ", key.Short(), " is unknown"));
    const JobStateKind kind = KindOf(input->second.state);
    all_succeeded &= kind == JobStateKind::kSucceeded;
    one_never_comes |= IsFinished(kind) && kind != JobStateKind::kSucceeded;
  }
  const JobStateKind kind = KindOf(record.state);
  if (kind == JobStateKind::kPending && all_succeeded) return Broken(record, "it waits, but all its inputs succeeded");
  if (kind == JobStateKind::kPending && one_never_comes) return Broken(record, "an input will never come");
  const bool needs_all = kind >= JobStateKind::kReady && kind <= JobStateKind::kSucceeded;
  if (needs_all && !all_succeeded) return Broken(record, "an input has not succeeded");
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

// Each dependent reads the job; that none is missing is told by counting.
absl::Status CheckDependents(const State& state, const JobRecord& record) {
  int longest_chain = 1;
  for (const JobKey& key : record.dependents) {
    auto dependent = state.jobs.find(key);
    if (dependent == state.jobs.end() || !Lists(dependent->second.job.inputs, record.job.key)) {
      return Broken(record, absl::StrCat("job ", key.Short(), " does not read it"));
    }
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
  std::size_t inputs = 0;
  std::size_t dependents = 0;
  for (const auto& [key, record] : state_.jobs) {
    for (auto check : {CheckInputs, CheckState, CheckDependents}) {
      if (absl::Status status = check(state_, record); !status.ok()) return status;
    }
    index.Insert(record);
    inputs += record.job.inputs.size();
    dependents += record.dependents.size();
  }
  if (inputs != dependents) return absl::InternalError("an input does not know all jobs that read it");
  if (!(index == state_.index)) return absl::InternalError("the index is not that of the jobs");
  if (absl::Status status = CheckSweeps(state_); !status.ok()) return status;
  return CheckWorkers(state_);
}

}  // namespace roar::schedule
