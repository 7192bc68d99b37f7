#pragma once

#include <gtest/gtest.h>

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
      "t0 -> e0 -> t1 -> e1 -> t2; t9", "t0 -> e0 -> t1; t0 -> e5 -> t5", "t7; t8; t9", "t0 -> e5 -> t6 -> e6; t7"};
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
  bool AllSucceeded() const {
    for (const auto& [key, record] : scheduler_.jobs()) {
      if (!std::holds_alternative<Succeeded>(record.state)) return false;
    }
    return true;
  }
  const std::map<JobKey, int>& accepted() const { return accepted_; }
  const Scheduler& scheduler() const { return scheduler_; }
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
      JobResult result = CorrectResult(scheduler_.jobs().at(job->first).job);
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
    Check();
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
  std::string broken_;
};

}  // namespace roar::schedule
