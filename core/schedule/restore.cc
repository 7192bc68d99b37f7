#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/schedule/scheduler.h"

namespace roar::schedule {
namespace {

constexpr std::int64_t kUnnumbered = -1;

// Gives every shard to its job.
absl::Status GatherShards(State& state) {
  for (const auto& [key, record] : state.jobs) {
    const auto* spec = std::get_if<ExplainShardSpec>(&record.job.spec);
    if (spec == nullptr) continue;
    auto whole = state.jobs.find(spec->explanation);
    const bool is_split = whole != state.jobs.end() && std::holds_alternative<ExplainSpec>(whole->second.job.spec);
    const auto [index, count] = spec->shard;
    if (!is_split || index < 0 || index >= count || count > std::ssize(state.jobs)) {
      return absl::InternalError(absl::StrCat("job ", key.Short(), " is a shard of nothing that is stored"));
    }
    whole->second.shards.resize(static_cast<std::size_t>(count));
    whole->second.shards[static_cast<std::size_t>(index)] = key;
  }
  return absl::OkStatus();
}

// After its shards.
void Number(State& state, JobRecord& record, std::vector<JobRecord*>& ordered) {
  for (const JobKey& shard : record.shards) {
    if (auto found = state.jobs.find(shard); found != state.jobs.end()) Number(state, found->second, ordered);
  }
  record.plan_order = state.next_plan_order++;
  ordered.push_back(&record);
}

// The records of the sweeps, in their order and that of their plans, which is an order of inputs before users.
absl::StatusOr<std::vector<JobRecord*>> NumberInPlanOrder(State& state) {
  std::vector<JobRecord*> ordered;
  for (const auto& [sweep_id, members] : state.sweeps) {
    for (const AddSweep::Member& member : members) {
      auto found = state.jobs.find(member.key);
      if (found == state.jobs.end()) {
        return absl::InternalError(
            absl::StrCat("sweep ", sweep_id, " names job ", member.key.Short(), ", which is not stored"));
      }
      JobRecord& record = found->second;
      if (record.plan_order == kUnnumbered) Number(state, record, ordered);
      record.sweeps.insert(sweep_id);
    }
  }
  return ordered;
}

bool InputsAreNumbered(const State& state, const JobRecord& record) {
  return std::ranges::all_of(record.job.inputs, [&](const JobKey& key) {
    auto input = state.jobs.find(key);
    return input != state.jobs.end() && input->second.plan_order != kUnnumbered;
  });
}

// Jobs that no sweep names, and that are no shards, were imported: inputs before users. What cannot be ordered so comes
// last, for LinkToAwaited to find.
void NumberImported(State& state, std::vector<JobRecord*>& ordered) {
  std::vector<JobRecord*> waiting;
  for (auto& [key, record] : state.jobs) {
    if (record.plan_order == kUnnumbered) waiting.push_back(&record);
  }
  bool stuck = false;
  while (!waiting.empty()) {
    std::vector<JobRecord*> left;
    for (JobRecord* record : waiting) {
      if (stuck || InputsAreNumbered(state, *record)) {
        Number(state, *record, ordered);
      } else {
        left.push_back(record);
      }
    }
    stuck = left.size() == waiting.size();
    waiting = std::move(left);
  }
}

absl::Status LinkToAwaited(State& state, const JobRecord& record) {
  absl::Status status;
  ForEachAwaited(record, [&](const JobKey& key) {
    auto awaited = state.jobs.find(key);
    if (awaited == state.jobs.end() || awaited->second.plan_order >= record.plan_order) {
      status.Update(absl::InternalError(
          absl::StrCat("job ", record.job.key.Short(), ": its input ", key.Short(), " does not come before it")));
    } else {
      awaited->second.dependents.push_back(record.job.key);
    }
  });
  return status;
}

}  // namespace

void Scheduler::Restore(AddSweep sweep) {
  if (sweep.canceled) state_.canceled_sweeps.insert(sweep.sweep_id);
  state_.sweeps[sweep.sweep_id] = std::move(sweep.members);
}

void Scheduler::Restore(JobRecord record) {
  JobRecord restored{std::move(record.job), std::move(record.state), record.last_epoch, std::move(record.failures)};
  const Instant expires = state_.started + state_.options.lease_ttl;
  if (auto* leased = std::get_if<Leased>(&restored.state)) leased->lease.expires = expires;
  if (auto* running = std::get_if<Running>(&restored.state)) running->lease.expires = expires;
  if (std::holds_alternative<Ready>(restored.state)) restored.state = Ready{};
  restored.plan_order = kUnnumbered;
  state_.jobs.insert_or_assign(restored.job.key, std::move(restored));
}

absl::Status Scheduler::FinishRestore() {
  if (absl::Status gathered = GatherShards(state_); !gathered.ok()) return gathered;
  auto ordered = NumberInPlanOrder(state_);
  if (!ordered.ok()) return ordered.status();
  NumberImported(state_, *ordered);
  for (const JobRecord* record : *ordered) {
    if (absl::Status linked = LinkToAwaited(state_, *record); !linked.ok()) return linked;
    state_.index.Insert(*record);
  }
  for (const JobRecord* record : std::views::reverse(*ordered)) RaiseChainsAbove(state_, *record);
  return CheckInvariants();
}

}  // namespace roar::schedule
