#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/schedule/decide.h"

namespace roar::schedule {
namespace {

absl::Status CheckOrder(const std::vector<PlannedJob>& jobs) {
  std::set<JobKey> seen;
  for (const PlannedJob& job : jobs) {
    for (const JobKey& input : job.inputs) {
      if (seen.contains(input)) continue;
      return absl::InvalidArgumentError(absl::StrCat("job ", job.key.Short(), ": its input ", input.Short(),
                                                     " does not come before it in the sweep"));
    }
    if (!seen.insert(job.key).second) {
      return absl::InvalidArgumentError(absl::StrCat("job ", job.key.Short(), " comes twice in the sweep"));
    }
  }
  return absl::OkStatus();
}

bool IsPlannedAgain(JobStateKind kind) { return IsFinished(kind) && kind != JobStateKind::kSucceeded; }

absl::StatusOr<const std::vector<AddSweep::Member>*> FindSweep(const State& state, std::int64_t sweep_id) {
  auto sweep = state.sweeps.find(sweep_id);
  if (sweep == state.sweeps.end()) return absl::NotFoundError(absl::StrCat("there is no sweep ", sweep_id));
  return &sweep->second;
}

JobState StateOfNew(const Decision& decision, const PlannedJob& job) {
  for (const JobKey& input : job.inputs) {
    if (decision.Find(input) == nullptr || !decision.HasSucceeded(input)) return Pending{};
  }
  return Ready{};
}

}  // namespace

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const SubmitSweep& event, Instant now) {
  if (state.sweeps.contains(event.sweep_id)) return DecideOn(state, RetrySweep{event.sweep_id}, now);
  if (absl::Status order = CheckOrder(event.jobs); !order.ok()) return order;
  Decision decision(state, now);
  AddSweep sweep{event.sweep_id};
  for (const PlannedJob& job : event.jobs) {
    bool cached = false;
    if (const JobRecord* known = decision.Find(job.key); known == nullptr) {
      decision.Add(AddJob{job, StateOfNew(decision, job)});
    } else if (IsPlannedAgain(KindOf(known->state))) {
      decision.PlanAgain(*known);
    } else {
      cached = std::holds_alternative<Succeeded>(known->state);
    }
    sweep.members.push_back({job.key, cached});
  }
  decision.Add(std::move(sweep));
  return decision.Take();
}

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const CancelSweep& event, Instant now) {
  auto members = FindSweep(state, event.sweep_id);
  if (!members.ok()) return members.status();
  if (state.canceled_sweeps.contains(event.sweep_id)) return std::vector<Change>();
  Decision decision(state, now);
  decision.Add(SetSweepCanceled{event.sweep_id, true});
  for (const AddSweep::Member& member : **members) {
    const JobRecord& record = state.jobs.at(member.key);
    if (IsFinished(KindOf(record.state)) || IsNeeded(state, record, event.sweep_id)) continue;
    decision.Move(record, Canceled{});
  }
  return decision.Take();
}

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const RetrySweep& event, Instant now) {
  auto members = FindSweep(state, event.sweep_id);
  if (!members.ok()) return members.status();
  Decision decision(state, now);
  if (state.canceled_sweeps.contains(event.sweep_id)) decision.Add(SetSweepCanceled{event.sweep_id, false});
  for (const AddSweep::Member& member : **members) {
    const JobRecord& record = state.jobs.at(member.key);
    if (IsPlannedAgain(KindOf(record.state))) decision.PlanAgain(record);
  }
  return decision.Take();
}

}  // namespace roar::schedule
