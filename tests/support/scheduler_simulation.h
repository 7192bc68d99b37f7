#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/schedule/scheduler.h"
#include "tests/support/scheduler_scenario.h"

// Some workers and a coordinator whose messages get lost, doubled and late, and which die and come back. What happens
// is a list of steps, so that a failing history can be shrunk. Promises are checked after each of them.

namespace roar::schedule {

struct Step {
  enum class Kind {
    kSubmit, kCancel, kRetry, kCall, kCallReplyLost, kOldCallAgain, kFinish, kFinishWrongly, kFail, kWorkerCrash,
    kDrain, kResize, kPass, kPassLong, kPassUnnoticed, kImport, kCoordinatorRestart, kCount
  };
  Kind kind = Kind::kPass;
  // Which sweep, worker, job, kind of failure or old call.
  unsigned choice = 0;
};

class Simulation {
 public:
  static constexpr std::array<const char*, 4> kSweeps = {
      "t0 -> e0 -> t1 -> e1 -> t2; t9", "t0 -> e0 -> t1; t0 -> i5 -> t5", "t7; t8; t9", "t0 -> i5 -> t6 -> i6; t7"};
  static constexpr std::size_t kWorkers = 3;

  Simulation() {
    for (std::size_t i = 0; i < kWorkers; ++i) workers_[i].name = "w" + std::to_string(i);
  }

  void Do(const Step& step) {
    using enum Step::Kind;
    Worker& worker = workers_[step.choice % kWorkers];
    const std::int64_t sweep_id = step.choice % kSweeps.size() + 1;
    switch (step.kind) {
      case kSubmit: return Happen(SubmitSweep{sweep_id, Graph(kSweeps[sweep_id - 1])});
      case kCancel: return Happen(CancelSweep{sweep_id});
      case kRetry: return Happen(RetrySweep{sweep_id});
      case kCall: return DoCall(worker, true);
      case kCallReplyLost: return DoCall(worker, false);
      case kOldCallAgain: return calls_.empty() ? void() : Happen(calls_[step.choice % calls_.size()]);
      case kFinish: return EndJob(worker, step.choice, Ending::kResult);
      case kFinishWrongly: return EndJob(worker, step.choice, Ending::kWrongResult);
      case kFail: return EndJob(worker, step.choice, Ending::kFailure);
      case kWorkerCrash: return Crash(worker);
      case kDrain: worker.draining = !worker.draining; return;
      case kResize: worker.slots = static_cast<int>(step.choice / kWorkers % 4); return;
      case kPass: return Pass(absl::Seconds(step.choice % 5));
      case kPassUnnoticed: now_ += absl::Seconds(step.choice % 5); return;
      case kPassLong: return Pass(absl::Seconds(step.choice % 100));
      case kImport: return Import(sweep_id, step.choice);
      case kCoordinatorRestart: scheduler_ = Restarted(scheduler_, {}, now_); return Check();
      case kCount: return;
    }
  }

  // Workers that do their work and messages that arrive; until all jobs ended, or too long.
  void RunWithoutFaults() {
    for (int round = 0; round < 200 && !AllEnded(); ++round) {
      for (Worker& worker : workers_) {
        worker.draining = false;
        worker.slots = 2;
        while (!worker.running.empty()) EndJob(worker, 0, Ending::kResult);
        DoCall(worker, true);
      }
      Pass(absl::Seconds(7));
    }
  }

  void RetryAll() {
    const auto sweeps = scheduler_.sweeps();
    for (const auto& [sweep_id, members] : sweeps) Happen(RetrySweep{sweep_id});
  }

  bool AllEnded() const {
    for (const auto& [key, record] : scheduler_.jobs()) {
      if (!IsFinished(KindOf(record.state))) return false;
    }
    return true;
  }
  // Whether all jobs of the sweeps have. (A shard is given up when the result of its job is imported.)
  bool AllSucceeded() const {
    for (const auto& [key, record] : scheduler_.jobs()) {
      if (!std::holds_alternative<Succeeded>(scheduler_.WholeOf(record).state)) return false;
    }
    return true;
  }
  std::size_t SucceededCount() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        scheduler_.jobs(), [](const auto& job) { return std::holds_alternative<Succeeded>(job.second.state); }));
  }
  const std::map<JobKey, int>& accepted() const { return accepted_; }
  const Scheduler& scheduler() const { return scheduler_; }
  const std::set<JobKey>& split() const { return split_; }
  // The first broken promise, or empty.
  const std::string& broken() const { return broken_; }

 private:
  enum class Ending { kResult, kWrongResult, kFailure };
  struct Worker {
    std::string name;
    int incarnation = 1;
    int slots = 2;
    bool draining = false;
    std::map<JobKey, std::int64_t> running;
    // Kept on disk until a reply says that they arrived.
    std::vector<FinishedReport> unsent;
  };

  void DoCall(Worker& worker, bool reply_arrives) {
    Synchronize call{worker.name, std::to_string(worker.incarnation), worker.slots};
    for (const auto& [key, epoch] : worker.running) call.running.push_back({key, epoch});
    call.finished = worker.unsent;
    call.draining = worker.draining;
    calls_.push_back(call);
    Happen(call);
    if (!reply_arrives) return;
    worker.unsent.clear();
    worker.running.clear();
    for (const DesiredJob& job : scheduler_.DesiredJobs(worker.name, call.incarnation)) {
      worker.running[job.key] = job.epoch;
    }
  }

  void EndJob(Worker& worker, unsigned choice, Ending ending) {
    if (worker.running.empty()) return;
    auto job = std::next(worker.running.begin(), choice / kWorkers % worker.running.size());
    FinishedReport report{job->first, job->second};
    if (ending == Ending::kFailure) {
      report.outcome = FailureReport{static_cast<FailureKind>(choice % 5), "simulated"};
    } else {
      JobResult result = CorrectResult(scheduler_.jobs().at(job->first));
      if (ending == Ending::kWrongResult) result.inputs.pop_back();
      report.outcome = result;
    }
    worker.running.erase(job);
    worker.unsent.push_back(report);
  }

  // A job's result comes from elsewhere, be it known here or not.
  void Import(std::int64_t sweep_id, unsigned choice) {
    const std::vector<PlannedJob> jobs = Graph(kSweeps[sweep_id - 1]);
    const PlannedJob& job = jobs[choice / kSweeps.size() % jobs.size()];
    Happen(ImportResult{job.key, job.spec, CorrectResult(job)});
  }

  void Crash(Worker& worker) {
    ++worker.incarnation;
    worker.running.clear();
  }

  void Pass(absl::Duration time) {
    now_ += time;
    Happen(Tick{});
    if (scheduler_.NextDeadline() <= now_) Break("a tick left something to do");
  }

  void Happen(const Event& event) {
    const auto changes = scheduler_.Decide(event, now_);
    if (!changes.ok()) return;
    for (const Change& change : *changes) CheckBefore(change);
    scheduler_.Apply(*changes);
    for (const Change& change : *changes) {
      if (const auto* split = std::get_if<SplitJob>(&change)) CheckSplit(*split);
    }
    Check();
  }

  // After the decision, with which slots were filled.
  void CheckSplit(const SplitJob& split) {
    if (!split_.insert(split.key).second) Break("split twice: " + split.key.hex());
    if (split.shards.size() < 2 || split.shards.size() > 8) Break("a bad number of shards of " + split.key.hex());
    std::int64_t ready = 0;
    for (const auto& [key, record] : scheduler_.jobs()) {
      const auto* state = std::get_if<Ready>(&record.state);
      if (state != nullptr && state->not_before == absl::ZeroDuration()) ++ready;
    }
    std::int64_t free = 0;
    for (const auto& [name, worker] : scheduler_.workers()) {
      const auto held = std::ranges::count_if(scheduler_.jobs(), [&](const auto& job) {
        const Lease* lease = LeaseOf(job.second.state);
        return lease != nullptr && lease->worker == name;
      });
      if (!worker.draining) free += std::max<std::int64_t>(0, worker.slots - held);
    }
    if (ready > free) Break("split though no slot is idle: " + split.key.hex());
  }

  void CheckBefore(const Change& change) {
    if (const auto* accept = std::get_if<AcceptResult>(&change)) {
      if (++accepted_[accept->key] > 1) Break("two results accepted of " + accept->key.hex());
      const auto known = scheduler_.jobs().find(accept->key);
      if (known != scheduler_.jobs().end() &&
          accept->result.inputs.size() != CorrectResult(known->second.job).inputs.size()) {
        Break("a wrong result accepted of " + accept->key.hex());
      }
    }
    const auto* move = std::get_if<ChangeState>(&change);
    const Lease* lease = move == nullptr ? nullptr : LeaseOf(move->state);
    if (lease == nullptr || !std::holds_alternative<Leased>(move->state)) return;
    if (lease->epoch <= epochs_[move->key]) Break("an epoch granted twice of " + move->key.hex());
    epochs_[move->key] = lease->epoch;
  }

  void Check() {
    const absl::Status status = scheduler_.CheckInvariants();
    if (!status.ok()) Break(std::string(status.message()));
    for (const auto& [key, count] : accepted_) {
      const JobState& state = scheduler_.jobs().at(key).state;
      if (!std::holds_alternative<Succeeded>(state)) Break("a result was lost of " + key.hex());
    }
  }

  void Break(const std::string& what) {
    if (broken_.empty()) broken_ = what;
  }

  Scheduler scheduler_{{}, absl::ZeroDuration()};
  Instant now_ = absl::ZeroDuration();
  std::array<Worker, kWorkers> workers_;
  std::vector<Synchronize> calls_;
  std::map<JobKey, int> accepted_;
  std::map<JobKey, std::int64_t> epochs_;
  std::set<JobKey> split_;
  std::string broken_;
};

}  // namespace roar::schedule
