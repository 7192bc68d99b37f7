#include "proto/convert.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"
#include "core/experiment/sha256.h"

namespace roar {
namespace {

std::string Text(std::string_view text) { return std::string(text); }

template <typename Value>
absl::StatusOr<Value> Known(std::optional<Value> value, const std::string& what, const std::string& name) {
  if (value.has_value()) return *value;
  return absl::InvalidArgumentError(absl::StrCat("unknown ", what, " \"", name, "\""));
}

// For a field that did not exist at first: empty means what was done then.
template <typename Value>
absl::StatusOr<Value> KnownOrDefault(std::optional<Value> (*from_name)(std::string_view), const std::string& what,
                                     const std::string& name, Value value_when_empty) {
  return name.empty() ? value_when_empty : Known(from_name(name), what, name);
}

absl::StatusOr<std::string> Sha256(const std::string& text, const std::string& what) {
  if (IsSha256Hex(text)) return text;
  return absl::InvalidArgumentError(absl::StrCat(what, " is not a SHA-256 of 64 lower-case hexadecimal digits"));
}

std::optional<Split> SplitFromName(const std::string& name) {
  for (Split split : kAllSplits) {
    if (Name(split) == name) return split;
  }
  return std::nullopt;
}

// ---- Specs ----

v1::DatasetReference DatasetToProto(const DatasetReference& reference) {
  v1::DatasetReference message;
  message.set_content_sha256(reference.content_sha256);
  message.set_limit(reference.limit);
  return message;
}

absl::StatusOr<DatasetReference> DatasetFromProto(const v1::DatasetReference& message) {
  absl::StatusOr<std::string> content = Sha256(message.content_sha256(), "dataset.content_sha256");
  if (!content.ok()) return content.status();
  return DatasetReference{.content_sha256 = *std::move(content), .limit = message.limit()};
}

v1::TrainingSettings TrainingToProto(const TrainingSettings& settings) {
  v1::TrainingSettings message;
  message.set_epochs(settings.epochs);
  message.set_batch_size(settings.batch_size);
  message.set_learning_rate(settings.learning_rate);
  message.set_weight_decay(settings.weight_decay);
  message.set_embedding_size(settings.embedding_size);
  message.set_hidden_size(settings.hidden_size);
  message.set_checkpoint_metric(Text(Name(settings.checkpoint_metric)));
  message.set_embeddings(Text(Name(settings.embeddings)));
  return message;
}

absl::StatusOr<TrainingSettings> TrainingFromProto(const v1::TrainingSettings& message) {
  absl::StatusOr<Metric> metric =
      Known(MetricFromName(message.checkpoint_metric()), "checkpoint_metric", message.checkpoint_metric());
  if (!metric.ok()) return metric.status();
  absl::StatusOr<Embeddings> embeddings =
      KnownOrDefault(EmbeddingsFromName, "embeddings", message.embeddings(), Embeddings::kRandom);
  if (!embeddings.ok()) return embeddings.status();
  return TrainingSettings{.epochs = message.epochs(),
                          .batch_size = message.batch_size(),
                          .learning_rate = message.learning_rate(),
                          .weight_decay = message.weight_decay(),
                          .embedding_size = message.embedding_size(),
                          .hidden_size = message.hidden_size(),
                          .checkpoint_metric = *metric,
                          .embeddings = *embeddings};
}

void FillMask(v1::Mask& message, const NoMask&) { message.mutable_none(); }
void FillMask(v1::Mask& message, const AllMasked&) { message.mutable_all(); }
void FillMask(v1::Mask& message, const RandomMask& mask) {
  message.mutable_random()->set_unit(Text(Name(mask.unit)));
  message.mutable_random()->set_amount(mask.amount);
  message.mutable_random()->set_seed(mask.seed);
}
void FillMask(v1::Mask& message, const RankedMask& mask) {
  message.mutable_ranked()->set_explanation_key(mask.explanation.hex());
  message.mutable_ranked()->set_unit(Text(Name(mask.unit)));
  message.mutable_ranked()->set_amount(mask.amount);
}

v1::Mask MaskToProto(const Mask& mask) {
  v1::Mask message;
  std::visit([&](const auto& kind) { FillMask(message, kind); }, mask);
  return message;
}

absl::StatusOr<Mask> RandomFromProto(const v1::Mask::Random& message) {
  absl::StatusOr<MaskUnit> unit = Known(MaskUnitFromName(message.unit()), "mask unit", message.unit());
  if (!unit.ok()) return unit.status();
  return Normalized(RandomMask{.unit = *unit, .amount = message.amount(), .seed = message.seed()});
}

absl::StatusOr<Mask> RankedFromProto(const v1::Mask::Ranked& message) {
  absl::StatusOr<MaskUnit> unit = Known(MaskUnitFromName(message.unit()), "mask unit", message.unit());
  if (!unit.ok()) return unit.status();
  absl::StatusOr<std::string> key = Sha256(message.explanation_key(), "mask.explanation_key");
  if (!key.ok()) return key.status();
  return Normalized(RankedMask{.explanation = JobKey(*key), .unit = *unit, .amount = message.amount()});
}

absl::StatusOr<Mask> MaskFromProto(const v1::Mask& message) {
  switch (message.kind_case()) {
    case v1::Mask::kNone:
      return NoMask{};
    case v1::Mask::kAll:
      return AllMasked{};
    case v1::Mask::kRandom:
      return RandomFromProto(message.random());
    case v1::Mask::kRanked:
      return RankedFromProto(message.ranked());
    case v1::Mask::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("mask has no kind");
}

void FillSource(v1::ExplainSpec& message, const JobKey& train) { message.set_train_key(train.hex()); }
void FillSource(v1::ExplainSpec& message, const MaskedData& data) {
  *message.mutable_data()->mutable_dataset() = DatasetToProto(data.dataset);
  *message.mutable_data()->mutable_mask() = MaskToProto(data.mask);
}

absl::StatusOr<JobKey> TrainKeyFromProto(const std::string& train_key) {
  absl::StatusOr<std::string> key = Sha256(train_key, "explain.train_key");
  if (!key.ok()) return key.status();
  return JobKey(*std::move(key));
}

absl::StatusOr<MaskedData> MaskedDataFromProto(const v1::MaskedData& message) {
  absl::StatusOr<DatasetReference> dataset = DatasetFromProto(message.dataset());
  if (!dataset.ok()) return dataset.status();
  absl::StatusOr<Mask> mask = MaskFromProto(message.mask());
  if (!mask.ok()) return mask.status();
  return MaskedData{.dataset = *std::move(dataset), .mask = *std::move(mask)};
}

v1::ExplainShardSpec ShardToProto(const ExplainShardSpec& spec) {
  v1::ExplainShardSpec message;
  message.set_explanation_key(spec.explanation.hex());
  message.set_index(spec.shard.index);
  message.set_count(spec.shard.count);
  return message;
}

absl::StatusOr<ExplainShardSpec> ShardFromProto(const v1::ExplainShardSpec& message) {
  absl::StatusOr<std::string> key = Sha256(message.explanation_key(), "explain_shard.explanation_key");
  if (!key.ok()) return key.status();
  return ExplainShardSpec{JobKey(*std::move(key)), {.index = message.index(), .count = message.count()}};
}

// ---- Results ----

v1::SplitMetrics MetricsToProto(Split split, const SplitMetrics& metrics) {
  v1::SplitMetrics message;
  message.set_split(Text(Name(split)));
  message.set_examples(metrics.examples);
  message.set_examples_without_maskable_token(metrics.examples_without_maskable_token);
  message.set_loss(metrics.loss);
  message.set_accuracy(metrics.accuracy);
  message.set_macro_f1(metrics.macro_f1);
  message.set_micro_f1(metrics.micro_f1);
  if (metrics.auroc.has_value()) message.set_auroc(*metrics.auroc);
  return message;
}

SplitMetrics MetricsFromProto(const v1::SplitMetrics& message) {
  return {.examples = message.examples(),
          .examples_without_maskable_token = message.examples_without_maskable_token(),
          .loss = message.loss(),
          .accuracy = message.accuracy(),
          .macro_f1 = message.macro_f1(),
          .micro_f1 = message.micro_f1(),
          .auroc = message.has_auroc() ? std::optional(message.auroc()) : std::nullopt};
}

void FillOutcome(v1::JobResult& message, const TrainResult& result) {
  v1::TrainResult& train = *message.mutable_train();
  train.set_best_epoch(result.best_epoch);
  train.set_epochs_run(result.epochs_run);
  for (const auto& [split, metrics] : result.metrics) *train.add_metrics() = MetricsToProto(split, metrics);
  train.set_checkpoint_sha256(result.checkpoint_sha256);
}
void FillOutcome(v1::JobResult& message, const ExplainResult& result) {
  message.mutable_explain()->set_ranking_sha256(result.ranking_sha256);
}

absl::StatusOr<TrainResult> TrainResultFromProto(const v1::TrainResult& message) {
  TrainResult result{.best_epoch = message.best_epoch(), .epochs_run = message.epochs_run()};
  for (const v1::SplitMetrics& metrics : message.metrics()) {
    absl::StatusOr<Split> split = Known(SplitFromName(metrics.split()), "split", metrics.split());
    if (!split.ok()) return split.status();
    result.metrics[*split] = MetricsFromProto(metrics);
  }
  absl::StatusOr<std::string> sha256 = Sha256(message.checkpoint_sha256(), "checkpoint_sha256");
  if (!sha256.ok()) return sha256.status();
  result.checkpoint_sha256 = *std::move(sha256);
  return result;
}

absl::StatusOr<ExplainResult> ExplainResultFromProto(const v1::ExplainResult& message) {
  absl::StatusOr<std::string> sha256 = Sha256(message.ranking_sha256(), "ranking_sha256");
  if (!sha256.ok()) return sha256.status();
  return ExplainResult{.ranking_sha256 = *std::move(sha256)};
}

v1::Provenance ProvenanceToProto(const Provenance& provenance) {
  v1::Provenance message;
  message.set_worker(provenance.worker);
  message.set_device_kind(provenance.device_kind);
  message.set_software(provenance.software);
  message.set_threads(provenance.threads);
  message.set_peak_memory_bytes(provenance.peak_memory_bytes);
  message.mutable_seconds_by_phase()->insert(provenance.seconds_by_phase.begin(), provenance.seconds_by_phase.end());
  return message;
}

Provenance ProvenanceFromProto(const v1::Provenance& message) {
  Provenance provenance{.worker = message.worker(),
                        .device_kind = message.device_kind(),
                        .software = message.software(),
                        .threads = message.threads(),
                        .peak_memory_bytes = message.peak_memory_bytes()};
  provenance.seconds_by_phase.insert(message.seconds_by_phase().begin(), message.seconds_by_phase().end());
  return provenance;
}

}  // namespace

v1::TrainSpec ToProto(const TrainSpec& spec) {
  v1::TrainSpec message;
  *message.mutable_dataset() = DatasetToProto(spec.dataset);
  message.set_model(Text(Name(spec.model)));
  *message.mutable_training() = TrainingToProto(spec.training);
  *message.mutable_mask() = MaskToProto(spec.mask);
  message.set_seed(spec.seed);
  return message;
}

v1::ExplainSpec ToProto(const ExplainSpec& spec) {
  v1::ExplainSpec message;
  std::visit([&](const auto& source) { FillSource(message, source); }, spec.source);
  message.set_measure(Text(Name(spec.settings.measure)));
  message.set_ig_variant(Text(Name(spec.settings.integrated_gradient_variant)));
  return message;
}

v1::JobSpec ToProto(const JobSpec& spec) {
  v1::JobSpec message;
  if (const auto* train = std::get_if<TrainSpec>(&spec)) {
    *message.mutable_train() = ToProto(*train);
  } else if (const auto* explain = std::get_if<ExplainSpec>(&spec)) {
    *message.mutable_explain() = ToProto(*explain);
  } else {
    *message.mutable_explain_shard() = ShardToProto(std::get<ExplainShardSpec>(spec));
  }
  return message;
}

v1::JobResult ToProto(const JobResult& result) {
  v1::JobResult message;
  std::visit([&](const auto& outcome) { FillOutcome(message, outcome); }, result.outcome);
  for (const InputHash& input : result.inputs) {
    v1::InputHash& added = *message.add_inputs();
    added.set_role(input.role);
    added.set_sha256(input.sha256);
  }
  *message.mutable_provenance() = ProvenanceToProto(result.provenance);
  return message;
}

absl::StatusOr<TrainSpec> FromProto(const v1::TrainSpec& message) {
  absl::StatusOr<Model> model = Known(ModelFromName(message.model()), "model", message.model());
  if (!model.ok()) return model.status();
  absl::StatusOr<TrainingSettings> training = TrainingFromProto(message.training());
  if (!training.ok()) return training.status();
  absl::StatusOr<Mask> mask = MaskFromProto(message.mask());
  if (!mask.ok()) return mask.status();
  absl::StatusOr<DatasetReference> dataset = DatasetFromProto(message.dataset());
  if (!dataset.ok()) return dataset.status();
  return TrainSpec{.dataset = *std::move(dataset),
                   .model = *model,
                   .training = *training,
                   .mask = *std::move(mask),
                   .seed = message.seed()};
}

absl::StatusOr<ExplainSpec> FromProto(const v1::ExplainSpec& message) {
  absl::StatusOr<Measure> measure = Known(MeasureFromName(message.measure()), "measure", message.measure());
  if (!measure.ok()) return measure.status();
  absl::StatusOr<IntegratedGradientVariant> variant = KnownOrDefault(
      IntegratedGradientVariantFromName, "ig_variant", message.ig_variant(), IntegratedGradientVariant::kPublished);
  if (!variant.ok()) return variant.status();
  const ExplainSettings settings{.measure = *measure, .integrated_gradient_variant = *variant};
  if (NeedsModel(*measure) == message.has_data()) {
    return absl::InvalidArgumentError(absl::StrCat("measure ", message.measure(), " does not explain ",
                                                   message.has_data() ? "data without a model" : "a model"));
  }
  if (message.has_data()) {
    absl::StatusOr<MaskedData> data = MaskedDataFromProto(message.data());
    if (!data.ok()) return data.status();
    return ExplainSpec{.source = *std::move(data), .settings = settings};
  }
  absl::StatusOr<JobKey> train = TrainKeyFromProto(message.train_key());
  if (!train.ok()) return train.status();
  return ExplainSpec{.source = *std::move(train), .settings = settings};
}

absl::StatusOr<JobSpec> FromProto(const v1::JobSpec& message) {
  switch (message.kind_case()) {
    case v1::JobSpec::kTrain:
      return FromProto(message.train());
    case v1::JobSpec::kExplain:
      return FromProto(message.explain());
    case v1::JobSpec::kExplainShard:
      return ShardFromProto(message.explain_shard());
    case v1::JobSpec::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("job spec has no kind");
}

absl::StatusOr<JobResult> FromProto(const v1::JobResult& message) {
  JobResult result;
  if (message.has_train()) {
    absl::StatusOr<TrainResult> train = TrainResultFromProto(message.train());
    if (!train.ok()) return train.status();
    result.outcome = *std::move(train);
  } else if (message.has_explain()) {
    absl::StatusOr<ExplainResult> explain = ExplainResultFromProto(message.explain());
    if (!explain.ok()) return explain.status();
    result.outcome = *std::move(explain);
  } else {
    return absl::InvalidArgumentError("job result has no outcome");
  }
  for (const v1::InputHash& input : message.inputs()) result.inputs.push_back({input.role(), input.sha256()});
  result.provenance = ProvenanceFromProto(message.provenance());
  return result;
}

}  // namespace roar
