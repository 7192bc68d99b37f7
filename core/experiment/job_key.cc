#include "core/experiment/job_key.h"

#include <charconv>

#include "core/experiment/sha256.h"

namespace roar {
namespace {

// Bumped when the outcome of a job changes for an equal spec.
constexpr int kTrainVersion = 2;
constexpr int kExplainVersion = 2;
constexpr int kExplainShardVersion = 1;

std::string Text(std::int64_t value) { return std::to_string(value); }
std::string Text(double value) {
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}
std::string Text(Metric metric) { return std::string(Name(metric)); }
std::string Text(Embeddings embeddings) { return std::string(Name(embeddings)); }
std::string Text(IntegratedGradientVariant variant) { return std::string(Name(variant)); }

class CanonicalText {
 public:
  CanonicalText(JobKind kind, int version) { text_ = std::string(Name(kind)) + "/" + std::to_string(version) + "\n"; }
  void Field(std::string_view name, std::string_view value) {
    text_.append(name).append("=").append(value).append("\n");
  }
  template <typename T>
  void FieldUnlessDefault(std::string_view name, const T& value, const T& default_value) {
    if (value != default_value) Field(name, Text(value));
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

void AddMask(CanonicalText& text, const NoMask&) { text.Field("mask", "none"); }
void AddMask(CanonicalText& text, const AllMasked&) { text.Field("mask", "all"); }
void AddMask(CanonicalText& text, const RandomMask& mask) {
  text.Field("mask", "random");
  text.Field("mask.unit", Name(mask.unit));
  text.Field("mask.amount", Text(mask.amount));
  text.Field("mask.seed", Text(mask.seed));
}
void AddMask(CanonicalText& text, const RankedMask& mask) {
  text.Field("mask", "after");
  text.Field("mask.explanation", mask.explanation.hex());
  text.Field("mask.unit", Name(mask.unit));
  text.Field("mask.amount", Text(mask.amount));
}

void AddTraining(CanonicalText& text, const TrainingSettings& training) {
  // Frozen: a default of TrainingSettings that changes must not give new work the keys of old.
  const TrainingSettings defaults{.epochs = 100,
                                  .batch_size = 50,
                                  .learning_rate = 1e-3,
                                  .weight_decay = 1e-5,
                                  .embedding_size = 50,
                                  .hidden_size = 32,
                                  .checkpoint_metric = Metric::kAccuracy,
                                  .embeddings = Embeddings::kRandom};
  text.FieldUnlessDefault("training.epochs", training.epochs, defaults.epochs);
  text.FieldUnlessDefault("training.batch_size", training.batch_size, defaults.batch_size);
  text.FieldUnlessDefault("training.learning_rate", training.learning_rate, defaults.learning_rate);
  text.FieldUnlessDefault("training.weight_decay", training.weight_decay, defaults.weight_decay);
  text.FieldUnlessDefault("training.embedding_size", training.embedding_size, defaults.embedding_size);
  text.FieldUnlessDefault("training.hidden_size", training.hidden_size, defaults.hidden_size);
  text.FieldUnlessDefault("training.checkpoint_metric", training.checkpoint_metric, defaults.checkpoint_metric);
  text.FieldUnlessDefault("training.embeddings", training.embeddings, defaults.embeddings);
}

void AddDataset(CanonicalText& text, const DatasetReference& dataset) {
  text.Field("dataset", dataset.content_sha256);
  text.FieldUnlessDefault("dataset.limit", dataset.limit, std::int64_t{0});
}

void AddMask(CanonicalText& text, const Mask& mask) {
  std::visit([&](const auto& kind) { AddMask(text, kind); }, Normalized(mask));
}

void AddSource(CanonicalText& text, const JobKey& train) { text.Field("train", train.hex()); }
void AddSource(CanonicalText& text, const MaskedData& data) {
  AddDataset(text, data.dataset);
  AddMask(text, data.mask);
}

std::string Canonical(const TrainSpec& spec) {
  CanonicalText text(JobKind::kTrain, kTrainVersion);
  AddDataset(text, spec.dataset);
  text.Field("model", Name(spec.model));
  AddTraining(text, spec.training);
  AddMask(text, spec.mask);
  text.Field("seed", Text(spec.seed));
  return text.Take();
}

std::string Canonical(const ExplainSpec& spec) {
  CanonicalText text(JobKind::kExplain, kExplainVersion);
  std::visit([&](const auto& source) { AddSource(text, source); }, spec.source);
  text.Field("measure", Name(spec.settings.measure));
  if (spec.settings.measure == Measure::kIntegratedGradient) {
    text.FieldUnlessDefault("ig_variant", spec.settings.integrated_gradient_variant,
                            IntegratedGradientVariant::kPublished);
  }
  return text.Take();
}

std::string Canonical(const ExplainShardSpec& spec) {
  CanonicalText text(JobKind::kExplainShard, kExplainShardVersion);
  text.Field("explanation", spec.explanation.hex());
  text.Field("shard.index", Text(spec.shard.index));
  text.Field("shard.count", Text(spec.shard.count));
  return text.Take();
}

template <typename AmountMask>
Mask NormalizedAmount(const AmountMask& mask) {
  if (mask.amount == 0) return NoMask{};
  if (mask.unit == MaskUnit::kRatioPercent && mask.amount == 100) return AllMasked{};
  return mask;
}

}  // namespace

std::string_view Name(JobKind kind) {
  switch (kind) {
    case JobKind::kTrain:
      return "train";
    case JobKind::kExplain:
      return "explain";
    case JobKind::kExplainShard:
      return "explain_shard";
  }
  return "";
}

JobKind KindOf(const JobSpec& spec) { return static_cast<JobKind>(spec.index()); }

Mask Normalized(const Mask& mask) {
  if (const auto* random = std::get_if<RandomMask>(&mask)) return NormalizedAmount(*random);
  if (const auto* ranked = std::get_if<RankedMask>(&mask)) return NormalizedAmount(*ranked);
  return mask;
}

std::string CanonicalSpec(const JobSpec& spec) {
  return std::visit([](const auto& job) { return Canonical(job); }, spec);
}

std::string JobVersions() {
  return "train/" + std::to_string(kTrainVersion) + " explain/" + std::to_string(kExplainVersion);
}

JobKey KeyOf(const JobSpec& spec) { return JobKey(Sha256Hex(CanonicalSpec(spec))); }

}  // namespace roar
