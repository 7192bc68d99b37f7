#include <cassert>
#include <cstddef>
#include <ranges>
#include <utility>

#include "core/schedule/scheduler.h"

namespace roar::schedule {
namespace {

// Checking everything after every change is for graphs of a test's size.
[[maybe_unused]] constexpr std::size_t kJobsCheckedMost = 500;

void SetState(State& state, JobRecord& record, JobState next) {
  state.index.Erase(record);
  record.state = std::move(next);
  state.index.Insert(record);
}

// Writes one change after the other into the state.
struct Writer {
  State& state;

  void operator()(const AddSweep& change) {
    state.sweeps[change.sweep_id] = change.members;
    for (const AddSweep::Member& member : change.members) state.jobs.at(member.key).sweeps.insert(change.sweep_id);
  }
  void operator()(const SetSweepCanceled& change) {
    if (change.canceled) {
      state.canceled_sweeps.insert(change.sweep_id);
    } else {
      state.canceled_sweeps.erase(change.sweep_id);
    }
  }
  void operator()(const AddJob& change) {
    auto [added, is_new] = state.jobs.emplace(change.job.key, JobRecord{change.job, change.state});
    assert(is_new);
    added->second.plan_order = state.next_plan_order++;
    for (const JobKey& input : change.job.inputs) state.jobs.at(input).dependents.push_back(change.job.key);
    state.index.Insert(added->second);
  }
  void operator()(const SplitJob& change) {
    JobRecord& record = state.jobs.at(change.key);
    record.shards = change.shards;
    for (const JobKey& shard : change.shards) state.jobs.at(shard).dependents.push_back(change.key);
    RaiseChainsAbove(state, record);
  }
  void operator()(const ChangeState& change) {
    JobRecord& record = state.jobs.at(change.key);
    assert(MayMove(KindOf(record.state), KindOf(change.state)));
    record.last_epoch = change.last_epoch;
    record.failures = change.failures;
    SetState(state, record, change.state);
  }
  void operator()(const RenewLease& change) {
    JobRecord& record = state.jobs.at(change.key);
    Lease lease = *LeaseOf(record.state);
    lease.expires = change.expires;
    if (std::holds_alternative<Leased>(record.state)) {
      SetState(state, record, Leased{std::move(lease)});
    } else {
      SetState(state, record, Running{std::move(lease), change.phase, change.progress});
    }
  }
  void operator()(const EndBackoff& change) { SetState(state, state.jobs.at(change.key), Ready{}); }
  // Results are the storage's; the job's state follows in a ChangeState of its own.
  void operator()(const AcceptResult&) {}
  void operator()(const SupersedeResult&) {}
  void operator()(const SeeWorker& change) {
    state.workers[change.worker] = {change.incarnation, change.slots, change.draining, change.seen};
  }
  void operator()(const ForgetWorker& change) { state.workers.erase(change.worker); }
};

}  // namespace

void Scheduler::Apply(const std::vector<Change>& changes) {
  for (const Change& change : changes) std::visit(Writer{state_}, change);
  // Users before their inputs, so that a chain is walked once.
  for (const Change& change : std::views::reverse(changes)) {
    if (const auto* added = std::get_if<AddJob>(&change)) RaiseChainsAbove(state_, state_.jobs.at(added->job.key));
  }
  assert(state_.jobs.size() > kJobsCheckedMost || CheckInvariants().ok());
}

}  // namespace roar::schedule
