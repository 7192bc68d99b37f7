#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"
#include "proto/convert.h"
#include "server/service_state.h"

// Results that came from another coordinator, and what a job hears that needs more than came with them.

namespace roar::server {
namespace {

// As bytes, so that a NaN equals itself.
std::string OutcomeBytes(const JobResult& result) {
  v1::JobResult message = ToProto(result);
  message.clear_inputs();
  message.clear_provenance();
  return message.SerializeAsString();
}

}  // namespace

ImportedResult ServiceState::Import(const JobSpec& spec, const JobResult& result) {
  const JobKey key = KeyOf(spec);
  if (std::optional<JobResult> kept = store_.Result(key)) {
    if (OutcomeBytes(*kept) == OutcomeBytes(result)) return {ImportedResult::Verdict::kKnown};
    return {ImportedResult::Verdict::kConflict, std::move(kept)};
  }
  const absl::Status status = Run(schedule::ImportResult{key, spec, result});
  if (status.ok()) return {ImportedResult::Verdict::kNew};
  return {ImportedResult::Verdict::kConflict, std::nullopt, std::string(status.message())};
}

// The cause of a failure to fetch the model that the job explains, in place of the worker's words.
std::optional<std::string> ServiceState::WhyNoCheckpoint(const schedule::FinishedReport& failed) const {
  const auto job = scheduler_.jobs().find(failed.key);
  if (job == scheduler_.jobs().end()) return std::nullopt;
  const auto* explain = std::get_if<ExplainSpec>(&scheduler_.WholeOf(job->second).job.spec);
  const JobKey* train = explain == nullptr ? nullptr : std::get_if<JobKey>(&explain->source);
  if (train == nullptr) return std::nullopt;
  const schedule::JobRecord& model = scheduler_.jobs().at(*train);
  const auto* succeeded = std::get_if<schedule::Succeeded>(&model.state);
  if (succeeded == nullptr || model.sweeps.empty()) return std::nullopt;
  const std::string& reason = std::get<schedule::FailureReport>(failed.outcome).reason;
  if (!absl::StrContains(reason, succeeded->output_sha256)) return std::nullopt;
  if (artifacts_.Has({ArtifactKind::kCheckpoint, succeeded->output_sha256})) return std::nullopt;

  const SweepRecord& sweep = sweeps_.at(*model.sweeps.begin());
  const std::string name =
      absl::StrCat(sweep.labels.Describe(sweep.plan, *train, model.job.spec), " (", train->Short(), ")");
  if (succeeded->epoch != 0) return absl::StrCat("the checkpoint of ", name, " is gone from the coordinator's disk");
  return absl::StrCat("the bundle that brought the result of ", name,
                      " came without its checkpoint: export it again with --all-checkpoints, import that, and submit "
                      "the sweep again");
}

}  // namespace roar::server
