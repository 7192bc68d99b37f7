#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/schedule/decide.h"
#include "core/schedule/result_check.h"

namespace roar::schedule {
namespace {

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

// What the merging of a split job reads; its shards have succeeded.
JobInputs ShardsOf(const Decision& decision, const JobRecord& record) {
  JobInputs inputs{record.shards, {}};
  for (const JobKey& shard : record.shards) {
    inputs.hashes.push_back({"shard", *decision.FindSucceeded(shard)->output_sha256});
  }
  std::sort(inputs.hashes.begin(), inputs.hashes.end());
  return inputs;
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
  // They have succeeded, as the job was leased.
  const absl::StatusOr<JobInputs> inputs = InputsOf(WholeOf(decision.before(), record).job.spec,
                                                    [&](const JobKey& input) { return decision.FindSucceeded(input); });
  const std::optional<std::string> wrong =
      inputs.ok() ? WhyWrong(record.job.spec, record.shards.empty() ? *inputs : ShardsOf(decision, record), result)
                  : std::string(inputs.status().message());
  const std::optional<std::string> reason = wrong.has_value() ? wrong : WhyIncomplete(result);
  if (reason.has_value()) {
    decision.Add(SupersedeResult{key, report.epoch, *reason});
    // If wrong, the worker's copies are at fault, not the job: another attempt, elsewhere if it may be. An incomplete
    // one is the job's own, as of a model whose loss on a split is infinite.
    const FailureKind kind = wrong.has_value() ? FailureKind::kWorkerLost : FailureKind::kDeterministic;
    if (holds_lease) decision.FailAttempt(record, {kind, *reason});
    return;
  }
  // What its shards read it has read through them.
  JobResult accepted = result;
  if (!record.shards.empty()) accepted.inputs = inputs->hashes;
  decision.Add(AcceptResult{key, report.epoch, std::move(accepted), !holds_lease});
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
