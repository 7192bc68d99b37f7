#include "server/rpc/sweep_view.h"

#include <algorithm>

#include "proto/convert.h"
#include "server/rpc/job_view.h"

namespace roar::server {
namespace {

using schedule::JobStateKind;

// A list of thousands of failures says no more than its beginning, and has to fit into a message.
constexpr int kMostFailuresShown = 200;

v1::SweepState StateOf(const SweepRecord& sweep) {
  if (sweep.stored.canceled) return v1::SWEEP_STATE_CANCELED;
  if (sweep.Unfinished() > 0) return v1::SWEEP_STATE_RUNNING;
  // Without the sweep's being canceled, a canceled member is one that another sweep shared and gave up.
  const std::int64_t without_result =
      sweep.Count(JobStateKind::kFailed) + sweep.Count(JobStateKind::kAborted) + sweep.Count(JobStateKind::kCanceled);
  return without_result > 0 ? v1::SWEEP_STATE_FAILED : v1::SWEEP_STATE_SUCCEEDED;
}

v1::JobCounts CountsOf(const SweepRecord& sweep) {
  v1::JobCounts counts;
  counts.set_pending(sweep.Count(JobStateKind::kPending));
  counts.set_ready(sweep.Count(JobStateKind::kReady));
  counts.set_leased(sweep.Count(JobStateKind::kLeased));
  counts.set_running(sweep.Count(JobStateKind::kRunning));
  counts.set_succeeded(sweep.Count(JobStateKind::kSucceeded));
  counts.set_failed(sweep.Count(JobStateKind::kFailed));
  counts.set_canceled(sweep.Count(JobStateKind::kCanceled));
  counts.set_aborted(sweep.Count(JobStateKind::kAborted));
  counts.set_cached(sweep.cached);
  return counts;
}

void AddCells(const ServiceState& state, const SweepRecord& sweep, v1::SweepInfo& info) {
  for (const Cell& cell : sweep.plan.cells) {
    v1::CellProgress& progress = *info.add_cells();
    progress.set_dataset(cell.dataset);
    progress.set_model(std::string(Name(cell.model)));
    progress.set_measure(std::string(Name(cell.measure)));
    progress.set_strategy(std::string(Name(cell.strategy)));
    progress.set_points_total(static_cast<std::int64_t>(cell.trainings.size()));
    progress.set_points_done(std::count_if(cell.trainings.begin(), cell.trainings.end(), [&](const auto& seeds) {
      return std::all_of(seeds.begin(), seeds.end(), [&](const JobKey& key) {
        return std::holds_alternative<schedule::Succeeded>(state.scheduler().jobs().at(key).state);
      });
    }));
  }
}

// Neither it nor a shard of it runs, and it has not failed.
bool IsQuiet(const schedule::JobRecord& record) {
  const bool split = std::holds_alternative<schedule::Pending>(record.state) && !record.shards.empty();
  return !split && LeaseOf(record.state) == nullptr && !std::holds_alternative<schedule::Failed>(record.state);
}

void AddRunning(const std::string& description, const schedule::JobRecord& record, v1::SweepInfo& info) {
  if (LeaseOf(record.state) == nullptr) return;
  v1::RunningJobInfo& running = *info.add_running();
  running.set_key(record.job.key.hex());
  running.set_description(description);
  running.set_worker(LeaseOf(record.state)->worker);
  const auto* state = std::get_if<schedule::Running>(&record.state);
  running.set_phase(std::string(Name(state == nullptr ? schedule::Phase::kStaging : state->phase)));
  running.set_progress(state == nullptr ? 0 : state->progress);
}

void AddFailure(const std::string& description, const schedule::JobRecord& record, v1::SweepInfo& info) {
  const auto* failed = std::get_if<schedule::Failed>(&record.state);
  if (failed == nullptr || info.failures_size() == kMostFailuresShown) return;
  v1::FailedJobInfo& failure = *info.add_failures();
  failure.set_key(record.job.key.hex());
  failure.set_description(description);
  failure.set_kind(std::string(Name(failed->kind)));
  failure.set_reason(failed->reason);
}

// Of an unfinished job's work, in [0, 1]. A split job's is that of its shards.
double ShareLeft(const ServiceState& state, const schedule::JobRecord& record) {
  if (std::holds_alternative<schedule::Succeeded>(record.state)) return 0;
  if (const auto* running = std::get_if<schedule::Running>(&record.state)) return 1 - running->progress;
  if (record.shards.empty()) return 1;
  double left = 0;
  for (const JobKey& shard : record.shards) left += ShareLeft(state, state.scheduler().jobs().at(shard));
  return left / static_cast<double>(record.shards.size());
}

}  // namespace

double EstimateSecondsLeft(const ServiceState& state, const SweepRecord& sweep) {
  std::int64_t slots = 0;
  for (const auto& [name, worker] : state.scheduler().workers()) slots += worker.draining ? 0 : worker.slots;
  if (sweep.Unfinished() == 0) return 0;
  if (slots == 0) return -1;
  std::int64_t jobs = 0;
  double seconds = 0;
  int longest_chain = 0;
  for (const schedule::AddSweep::Member& member : state.scheduler().sweeps().at(sweep.stored.id)) {
    const schedule::JobRecord& record = state.scheduler().jobs().at(member.key);
    if (schedule::IsFinished(schedule::KindOf(record.state))) continue;
    const FinishedJobs finished = state.Finished(KindOf(record.job.spec));
    if (finished.count == 0) return -1;
    seconds += finished.seconds / static_cast<double>(finished.count) * ShareLeft(state, record);
    longest_chain = std::max(longest_chain, record.longest_chain);
    ++jobs;
  }
  const double mean_seconds = seconds / static_cast<double>(jobs);
  return std::max(seconds / static_cast<double>(slots), mean_seconds * longest_chain);
}

v1::SweepInfo Summarize(const ServiceState& state, const SweepRecord& sweep) {
  v1::SweepInfo info;
  info.set_id(sweep.stored.id);
  info.set_name(sweep.stored.spec.name);
  info.set_state(StateOf(sweep));
  *info.mutable_jobs() = CountsOf(sweep);
  info.set_submitted_unix_seconds(sweep.stored.submitted_unix_seconds);
  info.set_finished_unix_seconds(sweep.stored.finished_unix_seconds);
  info.set_eta_seconds(sweep.stored.canceled ? 0 : EstimateSecondsLeft(state, sweep));
  info.set_workers(state.WorkersTakingJobs());
  return info;
}

v1::SweepInfo Detail(const ServiceState& state, const SweepRecord& sweep) {
  v1::SweepInfo info = Summarize(state, sweep);
  AddCells(state, sweep, info);
  for (const schedule::AddSweep::Member& member : state.scheduler().sweeps().at(sweep.stored.id)) {
    const schedule::JobRecord& record = state.scheduler().jobs().at(member.key);
    if (IsQuiet(record)) continue;
    const std::string description = sweep.labels.Describe(sweep.plan, member.key, record.job.spec);
    AddRunning(description, record, info);
    AddFailure(description, record, info);
    for (const JobKey& shard : record.shards) {
      const schedule::JobRecord& part = state.scheduler().jobs().at(shard);
      AddRunning(DescribeJob(state, part), part, info);
    }
  }
  *info.mutable_spec() = ToProto(sweep.stored.spec);
  return info;
}

}  // namespace roar::server
