#include "core/schedule/result_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"

namespace roar::schedule {
namespace {

// Adds what a job reads, one input after the other.
class Collector {
 public:
  explicit Collector(const FindSucceeded& find) : find_(find) {}

  absl::Status Add(const TrainSpec& train) { return Add(MaskedData{train.dataset, train.mask}); }
  absl::Status Add(const ExplainSpec& explain) {
    return std::visit([this](const auto& source) { return Add(source); }, explain.source);
  }
  absl::Status Add(const ExplainShardSpec& shard) {
    return absl::InvalidArgumentError(absl::StrCat("it is a part of job ", shard.explanation.Short(), " only"));
  }
  absl::Status Add(const MaskedData& data) {
    inputs_.hashes.push_back({"dataset", data.dataset.content_sha256});
    const Mask mask = Normalized(data.mask);
    const auto* ranked = std::get_if<RankedMask>(&mask);
    return ranked == nullptr ? absl::OkStatus() : AddOutput("ranking", ranked->explanation).status();
  }
  // A model is explained on the data that it was trained on.
  absl::Status Add(const JobKey& explained) {
    const absl::StatusOr<SucceededJob> model = AddOutput("checkpoint", explained);
    if (!model.ok()) return model.status();
    return Add(std::get<TrainSpec>(*model->spec));
  }

  JobInputs Take() {
    std::sort(inputs_.hashes.begin(), inputs_.hashes.end());
    return std::move(inputs_);
  }

 private:
  absl::StatusOr<SucceededJob> AddOutput(const std::string& role, const JobKey& key) {
    const std::optional<SucceededJob> job = find_(key);
    if (!job.has_value()) return absl::FailedPreconditionError(absl::StrCat("its input ", key.Short(), " is not here"));
    const JobKind kind = role == "ranking" ? JobKind::kExplain : JobKind::kTrain;
    if (KindOf(*job->spec) != kind) {
      return absl::InvalidArgumentError(absl::StrCat("its input ", key.Short(), " makes no ", role));
    }
    inputs_.keys.push_back(key);
    inputs_.hashes.push_back({role, *job->output_sha256});
    return *job;
  }

  const FindSucceeded& find_;
  JobInputs inputs_;
};

std::string Text(const std::vector<InputHash>& inputs) {
  std::string text;
  for (const InputHash& input : inputs) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", input.role, " ", input.sha256.substr(0, 12));
  }
  return text.empty() ? "nothing" : text;
}

bool IsFraction(double value) { return value >= 0 && value <= 1; }

bool AreSound(const SplitMetrics& metrics) {
  return std::isfinite(metrics.loss) && IsFraction(metrics.accuracy) && IsFraction(metrics.macro_f1) &&
         IsFraction(metrics.micro_f1) && IsFraction(metrics.auroc.value_or(0));
}

}  // namespace

absl::StatusOr<JobInputs> InputsOf(const JobSpec& spec, const FindSucceeded& find) {
  Collector collector(find);
  absl::Status added = std::visit([&](const auto& job) { return collector.Add(job); }, spec);
  if (!added.ok()) return added;
  return collector.Take();
}

std::optional<std::string> WhyWrong(const JobSpec& spec, const JobInputs& inputs, const JobResult& result) {
  const bool of_training = std::holds_alternative<TrainResult>(result.outcome);
  if (of_training != (KindOf(spec) == JobKind::kTrain)) return "the result is of another kind of job";
  if (OutputSha256(result).empty()) return "the result names no output";
  std::vector<InputHash> read = result.inputs;
  std::sort(read.begin(), read.end());
  if (read == inputs.hashes) return std::nullopt;
  return absl::StrCat("it read ", Text(read), " in place of ", Text(inputs.hashes));
}

std::optional<std::string> WhyIncomplete(const JobResult& result) {
  const auto* train = std::get_if<TrainResult>(&result.outcome);
  if (train == nullptr) return std::nullopt;
  if (train->best_epoch < 1 || train->best_epoch > train->epochs_run) return "its best epoch is none that was run";
  const auto test = train->metrics.find(Split::kTest);
  if (test == train->metrics.end() || test->second.examples < 1) return "it has no metrics of the test split";
  for (const auto& [split, metrics] : train->metrics) {
    if (!AreSound(metrics)) {
      return absl::StrCat("its loss on ", std::string(Name(split)), " is not finite, or a metric no fraction");
    }
  }
  return std::nullopt;
}

}  // namespace roar::schedule
