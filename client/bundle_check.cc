#include "client/bundle_check.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"
#include "core/schedule/result_check.h"
#include "proto/convert.h"

namespace roar {
namespace {

absl::Status Wrong(const v1::BundledJob& job, const std::string& cause) {
  return absl::DataLossError(absl::StrCat("job ", job.key().substr(0, 12), ": ", cause));
}
absl::Status Wrong(const v1::BundledJob& job, const absl::Status& cause) {
  return Wrong(job, std::string(cause.message()));
}

}  // namespace

absl::Status BundleCheck::Add(const v1::BundledJob& job) {
  absl::StatusOr<JobSpec> spec = FromProto(job.spec());
  if (!spec.ok()) return Wrong(job, spec.status());
  absl::StatusOr<JobResult> result = FromProto(job.result());
  if (!result.ok()) return Wrong(job, result.status());
  const JobKey key = KeyOf(*spec);
  if (key.hex() != job.key()) return Wrong(job, "its key is not that of its spec");
  if (const auto reason = schedule::WhyIncomplete(*result)) return Wrong(job, *reason);
  const auto inputs = schedule::InputsOf(*spec, [&](const JobKey& input) -> std::optional<schedule::SucceededJob> {
    const auto found = jobs_.find(input);
    if (found == jobs_.end()) return std::nullopt;
    return schedule::SucceededJob{&found->second.spec, &OutputSha256(found->second.result)};
  });
  if (!inputs.ok()) return Wrong(job, inputs.status());
  if (const auto reason = schedule::WhyWrong(*spec, *inputs, *result)) return Wrong(job, *reason);

  const bool is_training = KindOf(*spec) == JobKind::kTrain;
  (is_training ? checkpoints_ : rankings_missing_).insert(OutputSha256(*result));
  if (!jobs_.emplace(key, FinishedJob{*std::move(spec), *std::move(result)}).second)
    return Wrong(job, "it comes twice");
  return absl::OkStatus();
}

absl::Status BundleCheck::Add(const ArtifactName& artifact) {
  std::set<std::string>& expected = artifact.kind == v1::ARTIFACT_KIND_RANKING ? rankings_missing_ : checkpoints_;
  if (expected.erase(artifact.sha256) == 1) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("artifact ", artifact.sha256, " is no job's"));
}

absl::Status BundleCheck::Finish() const {
  if (rankings_missing_.empty()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("the ranking ", *rankings_missing_.begin(), " is missing"));
}

}  // namespace roar
