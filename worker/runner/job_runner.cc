#include "worker/runner/job_runner.h"

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"
#include "datasets/ranking_file.h"
#include "datasets/record_file.h"
#include "proto/convert.h"
#include "proto/transport/durable_file.h"
#include "worker/runner/masking.h"
#include "worker/runner/peak_memory.h"

namespace roar::runner {
namespace {

using schedule::FailureKind;
using schedule::Phase;

// A job as the domain sees it.
struct Task {
  MaskedData data;
  // The training to do, or the one whose model is explained; absent where data are explained without a model.
  std::optional<TrainSpec> train;
  std::optional<ml::ExplainRequest> explain;
};

MaskedData DataOf(const TrainSpec& train) { return {train.dataset, train.mask}; }

Phase PhaseOf(ml::Activity activity) {
  switch (activity) {
    case ml::Activity::kLoading:
      return Phase::kStaging;
    case ml::Activity::kTraining:
      return Phase::kTraining;
    case ml::Activity::kEvaluating:
      return Phase::kEvaluating;
    case ml::Activity::kExplaining:
      return Phase::kExplaining;
  }
  return Phase::kTraining;
}

FailureKind KindOfFailure(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kResourceExhausted:
      return FailureKind::kOutOfMemory;
    // Unavailable: a fault of this machine, such as a full disk. The job is given back and tried elsewhere or later.
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kUnavailable:
      return FailureKind::kPreempted;
    default:
      return FailureKind::kDeterministic;
  }
}

absl::Status CheckKey(const std::string& what, const std::string& key, const JobSpec& spec) {
  const JobKey expected = KeyOf(spec);
  if (key == expected.hex()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the key of the ", what, " is ", key, " and its spec's is ", expected.hex(),
                   ": coordinator and worker differ in version, or an earlier one planned it: submit its sweep again"));
}

absl::StatusOr<Task> ReadExplanation(const v1::RunJob& job, const ExplainSpec& explain, const Shard& shard) {
  const ml::ExplainRequest request{explain.settings, shard};
  if (const auto* data = std::get_if<MaskedData>(&explain.source)) return Task{*data, std::nullopt, request};
  const absl::StatusOr<TrainSpec> train = FromProto(job.explained_train());
  if (!train.ok()) return train.status();
  const std::string& train_key = std::get<JobKey>(explain.source).hex();
  if (absl::Status key = CheckKey("training to explain", train_key, *train); !key.ok()) return key;
  return Task{DataOf(*train), *train, request};
}

absl::StatusOr<Task> ReadTask(const v1::RunJob& job) {
  absl::StatusOr<JobSpec> spec = FromProto(job.spec());
  if (!spec.ok()) return spec.status();
  if (absl::Status key = CheckKey("job", job.key(), *spec); !key.ok()) return key;
  if (const auto* train = std::get_if<TrainSpec>(&*spec)) return Task{DataOf(*train), *train, std::nullopt};
  const auto* part = std::get_if<ExplainShardSpec>(&*spec);
  if (part == nullptr) return ReadExplanation(job, std::get<ExplainSpec>(*spec), {});
  const absl::StatusOr<ExplainSpec> whole = FromProto(job.whole());
  if (!whole.ok()) return whole.status();
  if (absl::Status key = CheckKey("whole explanation", part->explanation.hex(), *whole); !key.ok()) return key;
  return ReadExplanation(job, *whole, part->shard);
}

absl::StatusOr<v1::InputFile> FindInput(const v1::RunJob& job, const std::string& role) {
  for (const v1::InputFile& input : job.inputs()) {
    if (input.role() == role) return input;
  }
  return absl::InvalidArgumentError(absl::StrCat("the job came without its ", role));
}

absl::Status CheckHash(const v1::InputFile& input, const std::string& found) {
  if (found == input.sha256()) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("the ", input.role(), " in ", input.path(), " is ", found, ", not ", input.sha256()));
}

absl::StatusOr<masks::Ranking> ReadRankingFile(const v1::InputFile& file) {
  const absl::StatusOr<std::string> bytes = ReadFile(file.path());
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<std::string> found = datasets::ContentSha256(*bytes);
  if (!found.ok()) return found.status();
  if (absl::Status hash = CheckHash(file, *found); !hash.ok()) return hash;
  return datasets::DecodeRanking(*bytes);
}

// One job, from its message to its result. Holds what the steps share.
class Execution {
 public:
  Execution(const v1::RunJob& job, DatasetLoader& datasets, ml::Session& models, JobProgress& progress)
      : job_(job), datasets_(datasets), models_(models), progress_(progress) {}

  absl::StatusOr<JobResult> Run() {
    progress_.Report(Phase::kStaging, 0);
    const absl::Status done = FindInput(job_, "shard").ok() ? Merge() : Work();
    if (!done.ok()) return done;
    progress_.Report(Phase::kUploading, 1);
    return std::move(result_);
  }

 private:
  absl::Status Work() {
    const absl::StatusOr<Task> task = ReadTask(job_);
    if (!task.ok()) return task.status();
    if (absl::Status staged = Stage(task->data); !staged.ok()) return staged;
    progress_.Report(Phase::kStaging, 0);
    return task->explain.has_value() ? Explain(*task) : Train(*task->train);
  }

  absl::Status Stage(const MaskedData& data) {
    const absl::StatusOr<v1::InputFile> file = FindInput(job_, "dataset");
    if (!file.ok()) return file.status();
    absl::StatusOr<const ml::EncodedDataset*> dataset = datasets_.Load(data.dataset, file->path());
    if (!dataset.ok()) return dataset.status();
    unmasked_ = *dataset;
    result_.inputs.push_back({.role = "dataset", .sha256 = data.dataset.content_sha256});

    absl::StatusOr<std::optional<masks::Ranking>> ranking = ReadRanking(data.mask);
    if (!ranking.ok()) return ranking.status();
    absl::StatusOr<MaskingOrder> order = OrderOf(data.mask, *unmasked_, *std::move(ranking));
    if (!order.ok()) return order.status();
    order_ = *std::move(order);
    masked_ = ApplyMask(*unmasked_, order_);
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<masks::Ranking>> ReadRanking(const Mask& mask) {
    if (!std::holds_alternative<RankedMask>(mask)) return std::nullopt;
    const absl::StatusOr<v1::InputFile> file = FindInput(job_, "ranking");
    if (!file.ok()) return file.status();
    result_.inputs.push_back({.role = "ranking", .sha256 = file->sha256()});
    return ReadRankingFile(*file);
  }

  ml::ProgressCallback Listener() {
    return [this](ml::Activity activity, double progress) { return progress_.Report(PhaseOf(activity), progress); };
  }

  absl::Status Train(const TrainSpec& spec) {
    absl::StatusOr<ml::TrainOutcome> outcome = models_.Train(spec, masked_, job_.output_path(), Listener());
    if (!outcome.ok()) return outcome.status();
    for (const auto& [split, count] : CountWithoutMaskableToken(*unmasked_)) {
      outcome->metrics[split].examples_without_maskable_token = count;
    }
    result_.outcome = TrainResult{.best_epoch = outcome->best_epoch,
                                  .epochs_run = outcome->epochs_run,
                                  .metrics = std::move(outcome->metrics),
                                  .checkpoint_sha256 = std::move(outcome->checkpoint_sha256)};
    return absl::OkStatus();
  }

  absl::StatusOr<ml::Scores> ScoresOf(const Task& task) {
    if (!task.train.has_value()) return ml::ExplainData(task.explain->settings.measure, masked_);
    const absl::StatusOr<v1::InputFile> checkpoint = FindInput(job_, "checkpoint");
    if (!checkpoint.ok()) return checkpoint.status();
    result_.inputs.push_back({.role = "checkpoint", .sha256 = checkpoint->sha256()});
    return models_.Explain(*task.train, masked_, *task.explain, {checkpoint->path(), checkpoint->sha256()}, Listener());
  }

  absl::Status Explain(const Task& task) {
    const absl::StatusOr<ml::Scores> scores = ScoresOf(task);
    if (!scores.ok()) return scores.status();
    absl::StatusOr<masks::Ranking> ranking = RankScores(*unmasked_, *scores, order_);
    if (!ranking.ok()) return ranking.status();
    // A whole explanation is that of its only shard.
    if (task.explain->shard.count == 1) ranking = MergeShards({*std::move(ranking)});
    progress_.Report(Phase::kExplaining, 1);
    return ranking.ok() ? Write(*ranking) : ranking.status();
  }

  // The explanation was made in shards, which are its inputs.
  absl::Status Merge() {
    const absl::StatusOr<JobSpec> spec = FromProto(job_.spec());
    if (!spec.ok()) return spec.status();
    if (absl::Status key = CheckKey("job", job_.key(), *spec); !key.ok()) return key;
    std::vector<masks::Ranking> shards;
    for (const v1::InputFile& file : job_.inputs()) {
      absl::StatusOr<masks::Ranking> shard = ReadRankingFile(file);
      if (!shard.ok()) return shard.status();
      result_.inputs.push_back({.role = file.role(), .sha256 = file.sha256()});
      shards.push_back(*std::move(shard));
    }
    progress_.Report(Phase::kStaging, 0);
    const absl::StatusOr<masks::Ranking> ranking = MergeShards(std::move(shards));
    progress_.Report(Phase::kExplaining, 1);
    return ranking.ok() ? Write(*ranking) : ranking.status();
  }

  absl::Status Write(const masks::Ranking& ranking) {
    const datasets::EncodedRanking encoded = datasets::EncodeRanking(ranking);
    result_.outcome = ExplainResult{.ranking_sha256 = encoded.content_sha256};
    const absl::Status written = WriteFileDurably(job_.output_path(), encoded.bytes);
    return written.ok() ? written : absl::UnavailableError(written.message());
  }

  const v1::RunJob& job_;
  DatasetLoader& datasets_;
  ml::Session& models_;
  JobProgress& progress_;
  const ml::EncodedDataset* unmasked_ = nullptr;
  ml::EncodedDataset masked_;
  MaskingOrder order_;
  JobResult result_;
};

// The boundary for exceptions.
absl::StatusOr<JobResult> Execute(Execution execution) {
  try {
    return execution.Run();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory");
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  }
}

}  // namespace

v1::Provenance DescribeRunner(int threads) {
  v1::Provenance provenance;
  provenance.set_device_kind(ml::DeviceKind());
  provenance.set_software(ml::SoftwareVersions());
  provenance.set_threads(threads);
  return provenance;
}

v1::RunnerMessage::Done JobRunner::Run(const v1::RunJob& job, const ProgressSink& sink) {
  ResetPeakMemory();
  JobProgress progress(sink);
  const absl::StatusOr<JobResult> result = Execute({job, datasets_, models_, progress});
  v1::RunnerMessage::Done done;
  if (!result.ok()) {
    done.mutable_failure()->set_kind(std::string(Name(KindOfFailure(result.status().code()))));
    done.mutable_failure()->set_reason(std::string(result.status().message()));
    return done;
  }
  *done.mutable_result() = ToProto(*result);
  v1::Provenance& provenance = *done.mutable_result()->mutable_provenance();
  provenance = DescribeRunner(threads_);
  provenance.set_peak_memory_bytes(PeakMemoryBytes());
  for (const auto& [phase, seconds] : progress.SecondsByPhase()) {
    (*provenance.mutable_seconds_by_phase())[phase] = seconds;
  }
  return done;
}

}  // namespace roar::runner
