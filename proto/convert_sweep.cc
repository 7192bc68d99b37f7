// Sweeps and their results; jobs are in convert.cc.

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"

namespace roar {
namespace {

using google::protobuf::RepeatedField;
using google::protobuf::RepeatedPtrField;

template <typename Value, typename Field>
void CopyOptional(const std::optional<Value>& value, v1::TrainingOverrides& message,
                  void (v1::TrainingOverrides::*set)(Field)) {
  if (value.has_value()) (message.*set)(*value);
}

v1::TrainingOverrides OverridesToProto(const TrainingOverrides& overrides) {
  v1::TrainingOverrides message;
  CopyOptional(overrides.epochs, message, &v1::TrainingOverrides::set_epochs);
  CopyOptional(overrides.batch_size, message, &v1::TrainingOverrides::set_batch_size);
  CopyOptional(overrides.learning_rate, message, &v1::TrainingOverrides::set_learning_rate);
  CopyOptional(overrides.weight_decay, message, &v1::TrainingOverrides::set_weight_decay);
  CopyOptional(overrides.embedding_size, message, &v1::TrainingOverrides::set_embedding_size);
  CopyOptional(overrides.hidden_size, message, &v1::TrainingOverrides::set_hidden_size);
  if (overrides.checkpoint_metric.has_value()) message.set_checkpoint_metric(*overrides.checkpoint_metric);
  if (overrides.embeddings.has_value()) message.set_embeddings(*overrides.embeddings);
  return message;
}

TrainingOverrides OverridesFromProto(const v1::TrainingOverrides& message) {
  TrainingOverrides overrides;
  if (message.has_epochs()) overrides.epochs = message.epochs();
  if (message.has_batch_size()) overrides.batch_size = message.batch_size();
  if (message.has_learning_rate()) overrides.learning_rate = message.learning_rate();
  if (message.has_weight_decay()) overrides.weight_decay = message.weight_decay();
  if (message.has_embedding_size()) overrides.embedding_size = message.embedding_size();
  if (message.has_hidden_size()) overrides.hidden_size = message.hidden_size();
  if (message.has_checkpoint_metric()) overrides.checkpoint_metric = message.checkpoint_metric();
  if (message.has_embeddings()) overrides.embeddings = message.embeddings();
  return overrides;
}

v1::MeanInterval IntervalToProto(const faithfulness::MeanInterval& interval) {
  v1::MeanInterval message;
  message.set_mean(interval.mean);
  message.set_ci_low(interval.ci_low);
  message.set_ci_high(interval.ci_high);
  message.set_has_interval(interval.has_interval);
  return message;
}

faithfulness::MeanInterval IntervalFromProto(const v1::MeanInterval& message) {
  return {.mean = message.mean(),
          .ci_low = message.ci_low(),
          .ci_high = message.ci_high(),
          .has_interval = message.has_interval()};
}

void FillSeedValues(RepeatedPtrField<v1::SeedValue>& messages, const std::vector<SeedValue>& values) {
  for (const SeedValue& value : values) {
    v1::SeedValue& message = *messages.Add();
    message.set_seed(value.seed);
    message.set_value(value.value);
  }
}

std::vector<SeedValue> SeedValuesFromProto(const RepeatedPtrField<v1::SeedValue>& messages) {
  std::vector<SeedValue> values;
  for (const v1::SeedValue& message : messages) values.push_back({message.seed(), message.value()});
  return values;
}

// The four names that curves and RACU share.
template <typename Message, typename Value>
void FillCellNames(Message& message, const Value& value) {
  message.set_dataset(value.dataset);
  message.set_model(std::string(Name(value.model)));
  message.set_measure(std::string(Name(value.measure)));
  message.set_strategy(std::string(Name(value.strategy)));
}

template <typename Value, typename Message>
absl::Status ReadCellNames(Value& value, const Message& message) {
  const auto model = ModelFromName(message.model());
  const auto measure = MeasureFromName(message.measure());
  const auto strategy = StrategyFromName(message.strategy());
  if (!model || !measure || !strategy) {
    return absl::InvalidArgumentError(absl::StrCat("unknown cell ", message.model(), " ", message.measure(), " ",
                                                   message.strategy(), ": is the coordinator newer?"));
  }
  value.dataset = message.dataset();
  value.model = *model;
  value.measure = *measure;
  value.strategy = *strategy;
  return absl::OkStatus();
}

v1::Curve CurveToProto(const Curve& curve) {
  v1::Curve message;
  FillCellNames(message, curve);
  message.set_metric(std::string(Name(curve.metric)));
  for (const CurvePoint& point : curve.points) {
    v1::CurvePoint& added = *message.add_points();
    added.set_step(point.step);
    if (point.interval.has_value()) *added.mutable_interval() = IntervalToProto(*point.interval);
    FillSeedValues(*added.mutable_per_seed(), point.per_seed);
  }
  return message;
}

absl::StatusOr<Curve> CurveFromProto(const v1::Curve& message) {
  Curve curve;
  if (absl::Status status = ReadCellNames(curve, message); !status.ok()) return status;
  const auto metric = MetricFromName(message.metric());
  if (!metric) return absl::InvalidArgumentError(absl::StrCat("unknown metric \"", message.metric(), "\""));
  curve.metric = *metric;
  for (const v1::CurvePoint& point : message.points()) {
    CurvePoint& added = curve.points.emplace_back();
    added.step = point.step();
    if (point.has_interval()) added.interval = IntervalFromProto(point.interval());
    added.per_seed = SeedValuesFromProto(point.per_seed());
  }
  return curve;
}

v1::RacuResult RacuToProto(const RacuResult& result) {
  v1::RacuResult message;
  FillCellNames(message, result);
  if (result.racu.has_value()) *message.mutable_racu() = IntervalToProto(*result.racu);
  if (result.acu.has_value()) *message.mutable_acu() = IntervalToProto(*result.acu);
  FillSeedValues(*message.mutable_racu_per_seed(), result.racu_per_seed);
  FillSeedValues(*message.mutable_acu_per_seed(), result.acu_per_seed);
  for (const RacuResult::Missing& missing : result.missing) {
    v1::MissingSeed& added = *message.add_missing();
    added.set_seed(missing.seed);
    added.set_reason(missing.reason);
  }
  return message;
}

absl::StatusOr<RacuResult> RacuFromProto(const v1::RacuResult& message) {
  RacuResult result;
  if (absl::Status status = ReadCellNames(result, message); !status.ok()) return status;
  if (message.has_racu()) result.racu = IntervalFromProto(message.racu());
  if (message.has_acu()) result.acu = IntervalFromProto(message.acu());
  result.racu_per_seed = SeedValuesFromProto(message.racu_per_seed());
  result.acu_per_seed = SeedValuesFromProto(message.acu_per_seed());
  for (const v1::MissingSeed& missing : message.missing()) result.missing.push_back({missing.seed(), missing.reason()});
  return result;
}

}  // namespace

v1::SweepSpec ToProto(const SweepSpec& spec) {
  v1::SweepSpec message;
  message.set_name(spec.name);
  for (const SweepDataset& dataset : spec.datasets) {
    v1::SweepDataset& added = *message.add_datasets();
    added.set_name(dataset.name);
    added.mutable_reference()->set_content_sha256(dataset.reference.content_sha256);
    added.mutable_reference()->set_limit(dataset.reference.limit);
  }
  *message.mutable_models() = {spec.models.begin(), spec.models.end()};
  *message.mutable_measures() = {spec.measures.begin(), spec.measures.end()};
  *message.mutable_strategies() = {spec.strategies.begin(), spec.strategies.end()};
  message.set_unit(std::string(Name(spec.unit)));
  *message.mutable_steps() = {spec.steps.begin(), spec.steps.end()};
  *message.mutable_seeds() = {spec.seeds.begin(), spec.seeds.end()};
  *message.mutable_training() = OverridesToProto(spec.training);
  if (spec.test_metric.has_value()) message.set_test_metric(*spec.test_metric);
  if (spec.ig_variant.has_value()) message.set_ig_variant(*spec.ig_variant);
  return message;
}

absl::StatusOr<SweepSpec> FromProto(const v1::SweepSpec& message) {
  const auto unit = MaskUnitFromName(message.unit());
  if (!unit) return absl::InvalidArgumentError(absl::StrCat("unknown unit \"", message.unit(), "\""));
  SweepSpec spec{.name = message.name(),
                 .models = {message.models().begin(), message.models().end()},
                 .measures = {message.measures().begin(), message.measures().end()},
                 .strategies = {message.strategies().begin(), message.strategies().end()},
                 .unit = *unit,
                 .steps = {message.steps().begin(), message.steps().end()},
                 .seeds = {message.seeds().begin(), message.seeds().end()},
                 .training = OverridesFromProto(message.training())};
  if (message.has_test_metric()) spec.test_metric = message.test_metric();
  if (message.has_ig_variant()) spec.ig_variant = message.ig_variant();
  for (const v1::SweepDataset& dataset : message.datasets()) {
    spec.datasets.push_back(
        {.name = dataset.name(),
         .reference = {.content_sha256 = dataset.reference().content_sha256(), .limit = dataset.reference().limit()}});
  }
  return spec;
}

v1::GetResultsResponse ToProto(const SweepResults& results) {
  v1::GetResultsResponse message;
  message.set_unit(std::string(Name(results.unit)));
  for (const Curve& curve : results.curves) *message.add_curves() = CurveToProto(curve);
  for (const RacuResult& racu : results.racu) *message.add_racu() = RacuToProto(racu);
  return message;
}

absl::StatusOr<SweepResults> FromProto(const v1::GetResultsResponse& message) {
  const auto unit = MaskUnitFromName(message.unit());
  if (!unit) return absl::InvalidArgumentError(absl::StrCat("unknown unit \"", message.unit(), "\""));
  SweepResults results{.unit = *unit};
  for (const v1::Curve& curve : message.curves()) {
    absl::StatusOr<Curve> converted = CurveFromProto(curve);
    if (!converted.ok()) return converted.status();
    results.curves.push_back(*std::move(converted));
  }
  for (const v1::RacuResult& racu : message.racu()) {
    absl::StatusOr<RacuResult> converted = RacuFromProto(racu);
    if (!converted.ok()) return converted.status();
    results.racu.push_back(*std::move(converted));
  }
  return results;
}

}  // namespace roar
