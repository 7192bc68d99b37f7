#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "core/experiment/job_key.h"
#include "core/schedule/scheduler.h"

// Scheduler tests that read as data. A graph is text: "t0 -> e0 -> t1; t0 -> i1" has trainings t0 and t1 and
// explanations e0 and i1; t1 is trained on data masked by e0. Those with an i are worth splitting. Names are the keys,
// except that "i1/2of3" is the second of three shards of i1. Every decision comes back as the text of all its changes,
// so a test accounts for each of them.

namespace roar::schedule {

inline bool IsExplanation(const std::string& name) { return name.front() == 'e' || name.front() == 'i'; }

inline JobKey KeyNamed(const std::string& name) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return JobKey(name);
  const Shard shard{name[slash + 1] - '1', name.back() - '0'};
  return KeyOf(ExplainShardSpec{JobKey(name.substr(0, slash)), shard});
}

inline std::string NameOf(const JobKey& key) {
  static const std::map<JobKey, std::string> shards = [] {
    std::map<JobKey, std::string> names;
    for (char explanation = '0'; explanation <= '9'; ++explanation) {
      for (char count = '2'; count <= '8'; ++count) {
        for (char number = '1'; number <= count; ++number) {
          const std::string name = std::string("i") + explanation + "/" + number + "of" + count;
          names.emplace(KeyNamed(name), name);
        }
      }
    }
    return names;
  }();
  const auto shard = shards.find(key);
  return shard == shards.end() ? key.hex() : shard->second;
}

// The jobs of the text in the order in which their names first appear.
inline std::vector<PlannedJob> Graph(const std::string& text) {
  std::vector<std::string> names;
  std::map<std::string, std::string> parent;
  std::istringstream words(text);
  std::string previous;
  bool arrow = false;
  for (std::string word; words >> word;) {
    if (word == "->") {
      arrow = true;
      continue;
    }
    const bool ends = word.back() == ';';
    if (ends) word.pop_back();
    if (std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
    if (arrow) parent[word] = previous;
    arrow = false;
    previous = ends ? "" : word;
  }
  std::vector<PlannedJob> jobs;
  for (const std::string& name : names) {
    PlannedJob job{JobKey(name)};
    const bool has_parent = parent.contains(name);
    if (IsExplanation(name)) {
      const Measure measure = name.front() == 'i' ? Measure::kIntegratedGradient : Measure::kAttention;
      job.spec = ExplainSpec{JobKey(parent.at(name)), {measure}};
      job.inputs = {JobKey(parent.at(name))};
      // The explanation reads the masked data that its model was trained on.
      if (parent.contains(parent.at(name))) job.inputs.push_back(JobKey(parent.at(parent.at(name))));
    } else {
      TrainSpec train{.dataset = {"data"}};
      if (has_parent) train.mask = RankedMask{JobKey(parent.at(name)), MaskUnit::kRatioPercent, 10};
      if (has_parent) job.inputs = {JobKey(parent.at(name))};
      job.spec = train;
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// What a correct worker returns for the job: it read its inputs' outputs, which are "out(NAME)".
inline JobResult CorrectResult(const PlannedJob& job) {
  const auto output_of = [](const JobKey& key) { return "out(" + key.hex() + ")"; };
  JobResult result;
  result.inputs = {{"dataset", "data"}};
  for (const JobKey& input : job.inputs) {
    result.inputs.push_back({IsExplanation(input.hex()) ? "ranking" : "checkpoint", output_of(input)});
  }
  if (KindOf(job.spec) == JobKind::kTrain) {
    result.outcome = TrainResult{1, 1, {{Split::kTest, {.examples = 1}}}, output_of(job.key)};
  } else {
    result.outcome = ExplainResult{output_of(job.key)};
  }
  return result;
}

// The same, of a split job too, for which it read its shards' outputs.
inline JobResult CorrectResult(const JobRecord& record) {
  JobResult result = CorrectResult(record.job);
  if (record.shards.empty()) return result;
  result.inputs.clear();
  for (const JobKey& shard : record.shards) result.inputs.push_back({"shard", "out(" + shard.hex() + ")"});
  return result;
}

// What storage keeps of a scheduler, read back in reverse order by a coordinator that starts at `started`.
inline Scheduler Restarted(const Scheduler& before, SchedulerOptions options, Instant started) {
  Scheduler after(options, started);
  for (auto job = before.jobs().rbegin(); job != before.jobs().rend(); ++job) {
    const JobRecord& record = job->second;
    after.Restore(JobRecord{record.job, record.state, record.last_epoch, record.failures});
  }
  for (auto sweep = before.sweeps().rbegin(); sweep != before.sweeps().rend(); ++sweep) {
    after.Restore(AddSweep{sweep->first, sweep->second, before.IsCanceled(sweep->first)});
  }
  EXPECT_EQ(after.FinishRestore(), absl::OkStatus());
  return after;
}

// A change in words: "t0 ready", "t0 leased w1 #1", "t0 accepted late #1", "w1 seen", ...
struct ChangeText {
  static std::string Of(const Change& change) { return std::visit(ChangeText(), change); }
  static std::string Of(const JobState& state) {
    std::string text(Name(KindOf(state)));
    if (const Lease* lease = LeaseOf(state)) text += " " + lease->worker + " #" + std::to_string(lease->epoch);
    if (const auto* aborted = std::get_if<Aborted>(&state)) text += " by " + NameOf(JobKey(aborted->cause_key));
    if (const auto* ready = std::get_if<Ready>(&state); ready != nullptr && ready->not_before != absl::ZeroDuration()) {
      std::ostringstream seconds;
      seconds << absl::ToDoubleSeconds(ready->not_before);
      text += " at " + seconds.str() + "s";
    }
    return text;
  }
  std::string operator()(const AddSweep& c) const { return "sweep " + std::to_string(c.sweep_id); }
  std::string operator()(const SetSweepCanceled& c) const {
    return "sweep " + std::to_string(c.sweep_id) + (c.canceled ? " canceled" : " wanted");
  }
  std::string operator()(const AddJob& c) const { return "new " + NameOf(c.job.key) + " " + Of(c.state); }
  std::string operator()(const SplitJob& c) const {
    return NameOf(c.key) + " split in " + std::to_string(c.shards.size());
  }
  std::string operator()(const ChangeState& c) const { return NameOf(c.key) + " " + Of(c.state); }
  std::string operator()(const RenewLease& c) const { return NameOf(c.key) + " renewed"; }
  std::string operator()(const EndBackoff& c) const { return NameOf(c.key) + " backed off"; }
  std::string operator()(const AcceptResult& c) const {
    return NameOf(c.key) + (c.late ? " accepted late #" : " accepted #") + std::to_string(c.epoch);
  }
  std::string operator()(const SupersedeResult& c) const {
    return NameOf(c.key) + " superseded #" + std::to_string(c.epoch) + " (" + c.reason + ")";
  }
  std::string operator()(const SeeWorker& c) const { return c.worker + " seen"; }
  std::string operator()(const ForgetWorker& c) const { return c.worker + " forgotten"; }
};

// A call of a worker. A job is "NAME", meant for its last lease, or "NAME#EPOCH"; a failure is "JOB KIND".
struct Call {
  std::string worker = "w1";
  int slots = 1;
  std::vector<std::string> running;
  std::vector<std::string> done;
  std::vector<std::string> failed;
  std::string incarnation = "a";
  bool draining = false;
};

class Scenario {
 public:
  explicit Scenario(SchedulerOptions options = {}) : scheduler_(options, absl::ZeroDuration()) {}
  ~Scenario() { EXPECT_EQ(scheduler_.CheckInvariants(), absl::OkStatus()); }
  Scenario(const Scenario&) = delete;
  Scenario& operator=(const Scenario&) = delete;

  // Sets the clock, in seconds since the coordinator's start.
  void At(double seconds) { now_ = absl::Seconds(seconds); }
  Instant now() const { return now_; }
  Scheduler& scheduler() { return scheduler_; }

  std::string Submit(std::int64_t sweep_id, const std::string& graph) {
    return Happen(SubmitSweep{sweep_id, Graph(graph)});
  }
  std::string Cancel(std::int64_t sweep_id) { return Happen(CancelSweep{sweep_id}); }
  std::string Retry(std::int64_t sweep_id) { return Happen(RetrySweep{sweep_id}); }
  std::string Tick() { return Happen(schedule::Tick{}); }
  std::string Sync(const Call& call) { return Happen(EventOf(call)); }

  // The changes in words and in order, applied; or the code of the error.
  std::string Happen(const Event& event) {
    auto changes = scheduler_.Decide(event, now_);
    auto again = scheduler_.Decide(event, now_);
    if (!changes.ok()) return absl::StatusCodeToString(changes.status().code());
    EXPECT_EQ(Text(*changes), Text(*again));
    scheduler_.Apply(*changes);
    return Text(*changes);
  }

  Synchronize EventOf(const Call& call) const {
    Synchronize event{.worker = call.worker, .incarnation = call.incarnation, .slots = call.slots};
    event.draining = call.draining;
    for (const std::string& text : call.running) {
      const auto [name, epoch] = Split(text);
      event.running.push_back({KeyNamed(name), epoch, Phase::kTraining, 0.5});
    }
    for (const std::string& text : call.done) event.finished.push_back(Done(text));
    for (const std::string& text : call.failed) {
      const auto space = text.find(' ');
      const auto [name, epoch] = Split(text.substr(0, space));
      const auto kind = FailureKindFromName(text.substr(space + 1));
      event.finished.push_back({KeyNamed(name), epoch, FailureReport{kind.value(), "because"}});
    }
    return event;
  }

  FinishedReport Done(const std::string& text) const {
    const auto [name, epoch] = Split(text);
    auto record = scheduler_.jobs().find(KeyNamed(name));
    const bool known = record != scheduler_.jobs().end();
    return {KeyNamed(name), epoch, known ? CorrectResult(record->second) : JobResult()};
  }

  // Every job with its state, in the order of the plan.
  std::string Jobs() const {
    std::map<std::int64_t, std::string> texts;
    for (const auto& [key, record] : scheduler_.jobs()) {
      texts[record.plan_order] = NameOf(key) + " " + ChangeText::Of(record.state);
    }
    std::string all;
    for (const auto& [order, text] : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
  }

  // What the worker should run: "JOB#EPOCH attempt N", by key.
  std::string Desired(const std::string& worker, const std::string& incarnation = "a") const {
    std::string all;
    for (const DesiredJob& job : scheduler_.DesiredJobs(worker, incarnation)) {
      all += (all.empty() ? "" : ", ") + NameOf(job.key) + "#" + std::to_string(job.epoch) + " attempt " +
             std::to_string(job.attempt);
    }
    return all;
  }

  const JobRecord& Job(const std::string& name) const { return scheduler_.jobs().at(KeyNamed(name)); }

 private:
  static std::string Text(const std::vector<Change>& changes) {
    std::string all;
    for (const Change& change : changes) all += (all.empty() ? "" : ", ") + ChangeText::Of(change);
    return all;
  }

  std::pair<std::string, std::int64_t> Split(const std::string& text) const {
    const auto hash = text.find('#');
    if (hash != std::string::npos) return {text.substr(0, hash), std::stoll(text.substr(hash + 1))};
    auto record = scheduler_.jobs().find(KeyNamed(text));
    return {text, record == scheduler_.jobs().end() ? 1 : record->second.last_epoch};
  }

  Scheduler scheduler_;
  Instant now_ = absl::ZeroDuration();
};

}  // namespace roar::schedule
