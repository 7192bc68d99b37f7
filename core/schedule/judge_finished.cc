#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"
#include "core/schedule/decide.h"

namespace roar::schedule {
namespace {

void AddRanking(const Decision& decision, const Mask& mask, std::vector<InputHash>& inputs) {
  const Mask normalized = Normalized(mask);
  if (const auto* ranked = std::get_if<RankedMask>(&normalized)) {
    inputs.push_back({"ranking", std::get<Succeeded>(decision.StateOf(ranked->explanation)).output_sha256});
  }
}

MaskedData DataOf(const TrainSpec& train) { return {train.dataset, train.mask}; }

void AddSource(const Decision& decision, const MaskedData& data, std::vector<InputHash>& inputs) {
  inputs.push_back({"dataset", data.dataset.content_sha256});
  AddRanking(decision, data.mask, inputs);
}
void AddSource(const Decision& decision, const JobKey& train, std::vector<InputHash>& inputs) {
  inputs.push_back({"checkpoint", std::get<Succeeded>(decision.StateOf(train)).output_sha256});
  AddSource(decision, DataOf(std::get<TrainSpec>(decision.Find(train)->job.spec)), inputs);
}

// What a job must have read, sorted. Its inputs have succeeded.
std::vector<InputHash> ExpectedInputs(const Decision& decision, const JobSpec& spec) {
  std::vector<InputHash> inputs;
  if (const auto* explain = std::get_if<ExplainSpec>(&spec)) {
    std::visit([&](const auto& source) { AddSource(decision, source, inputs); }, explain->source);
  } else {
    AddSource(decision, DataOf(std::get<TrainSpec>(spec)), inputs);
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

std::string Text(const std::vector<InputHash>& inputs) {
  std::string text;
  for (const InputHash& input : inputs) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", input.role, " ", input.sha256.substr(0, 12));
  }
  return text.empty() ? "nothing" : text;
}

// Why the result is not one of this job, whoever made it.
std::optional<std::string> WhyWrong(const Decision& decision, const JobRecord& record, const JobResult& result) {
  const bool of_training = std::holds_alternative<TrainResult>(result.outcome);
  if (of_training != (KindOf(record.job.spec) == JobKind::kTrain)) return "the result is of another kind of job";
  if (OutputSha256(result).empty()) return "the result names no output";
  std::vector<InputHash> read = result.inputs;
  std::sort(read.begin(), read.end());
  const std::vector<InputHash> expected = ExpectedInputs(decision, record.job.spec);
  if (read == expected) return std::nullopt;
  return absl::StrCat("it read ", Text(read), " in place of ", Text(expected));
}

// A PENDING job was never leased, so no result of it can be due.
bool IsOpen(JobStateKind kind) {
  return kind == JobStateKind::kReady || kind == JobStateKind::kLeased || kind == JobStateKind::kRunning;
}

// Why the result comes too late, too early or from the wrong worker.
std::optional<std::string> WhyNotDue(const JobRecord& record, const JobState& state, const std::string& worker,
                                     std::int64_t epoch) {
  const JobStateKind kind = KindOf(state);
  if (epoch < 1 || epoch > record.last_epoch) return absl::StrCat("lease ", epoch, " was never granted");
  if (!IsOpen(kind)) return absl::StrCat("the job is already ", std::string(Name(kind)));
  const Lease* lease = LeaseOf(state);
  if (lease == nullptr || lease->epoch != epoch || lease->worker == worker) return std::nullopt;
  return absl::StrCat("lease ", epoch, " belongs to worker ", lease->worker);
}

bool HoldsLease(const JobState& state, const std::string& worker, std::int64_t epoch) {
  const Lease* lease = LeaseOf(state);
  return lease != nullptr && lease->epoch == epoch && lease->worker == worker;
}

bool IsTheAccepted(const JobState& state, std::int64_t epoch) {
  const auto* succeeded = std::get_if<Succeeded>(&state);
  return succeeded != nullptr && succeeded->epoch == epoch;
}

void JudgeResult(Decision& decision, const JobRecord& record, const std::string& worker, const FinishedReport& report) {
  const JobKey& key = report.key;
  const auto& result = std::get<JobResult>(report.outcome);
  const JobState& state = decision.StateOf(key);
  if (IsTheAccepted(state, report.epoch)) return;
  if (auto reason = WhyNotDue(record, state, worker, report.epoch)) {
    decision.Add(SupersedeResult{key, report.epoch, *reason});
    return;
  }
  const bool holds_lease = HoldsLease(state, worker, report.epoch);
  if (auto reason = WhyWrong(decision, record, result)) {
    decision.Add(SupersedeResult{key, report.epoch, *reason});
    // The worker's copies are at fault, not the job: another attempt, elsewhere if it may be.
    if (holds_lease) decision.FailAttempt(record, {FailureKind::kWorkerLost, *reason});
    return;
  }
  decision.Add(AcceptResult{key, report.epoch, result, !holds_lease});
  decision.Succeed(record, {OutputSha256(result), report.epoch});
}

}  // namespace

void JudgeFinished(Decision& decision, const std::string& worker, const FinishedReport& report) {
  const JobRecord* record = decision.Find(report.key);
  if (record == nullptr) return;
  if (const auto* failure = std::get_if<FailureReport>(&report.outcome)) {
    // An attempt whose lease has ended was counted then.
    if (!HoldsLease(decision.StateOf(report.key), worker, report.epoch)) return;
    decision.FailAttempt(*record, {failure->kind, failure->reason});
  } else {
    JudgeResult(decision, *record, worker, report);
  }
}

}  // namespace roar::schedule
