#include <charconv>

#include "absl/strings/escaping.h"
#include "core/experiment/job_key.h"
#include "core/experiment/sha256.h"
#include "core/sweep/presets.h"
#include "core/sweep/sweep_spec.h"

namespace roar {
namespace {

// Bumped when the same sweep file should make a new sweep.
constexpr std::string_view kHeader = "sweep/1\n";

std::string Text(std::int64_t value) { return std::to_string(value); }
std::string Text(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}
// Escaped, so that no text can look like another field.
std::string Text(const std::string& value) { return absl::CEscape(value); }

class CanonicalSweep {
 public:
  template <typename T>
  void Field(std::string_view name, const T& value) {
    text_.append(name).append("=").append(Text(value)).append("\n");
  }
  template <typename T>
  void Field(std::string_view name, const std::optional<T>& value) {
    if (value) Field(name, *value);
  }
  template <typename T>
  void Field(std::string_view name, const std::vector<T>& values) {
    for (const T& value : values) Field(name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_{kHeader};
};

void AddTraining(CanonicalSweep& sweep, const TrainingOverrides& training) {
  sweep.Field("training.epochs", training.epochs);
  sweep.Field("training.batch_size", training.batch_size);
  sweep.Field("training.learning_rate", training.learning_rate);
  sweep.Field("training.weight_decay", training.weight_decay);
  sweep.Field("training.embedding_size", training.embedding_size);
  sweep.Field("training.hidden_size", training.hidden_size);
  sweep.Field("training.checkpoint_metric", training.checkpoint_metric);
  sweep.Field("training.embeddings", training.embeddings);
}

// The unmasked trainings stand for what this version takes for the settings that are not written.
void AddPresets(CanonicalSweep& sweep, const SweepSpec& spec) {
  for (const SweepDataset& dataset : spec.datasets) {
    for (const std::string& name : spec.models) {
      const Model model = *ModelFromName(name);
      const TrainingSettings training = Resolve(PresetFor(dataset.name, model).training, spec.training);
      sweep.Field("train", KeyOf(TrainSpec{dataset.reference, model, training, NoMask{}, 0}).hex());
    }
  }
}

}  // namespace

std::string SweepKey(const SweepSpec& spec) {
  CanonicalSweep sweep;
  sweep.Field("jobs", JobVersions());
  sweep.Field("name", spec.name);
  for (const SweepDataset& dataset : spec.datasets) {
    sweep.Field("dataset", dataset.name);
    sweep.Field("dataset.content_sha256", dataset.reference.content_sha256);
    sweep.Field("dataset.limit", dataset.reference.limit);
  }
  sweep.Field("model", spec.models);
  sweep.Field("measure", spec.measures);
  sweep.Field("strategy", spec.strategies);
  sweep.Field(Name(spec.unit), spec.steps);
  sweep.Field("seed", spec.seeds);
  AddTraining(sweep, spec.training);
  AddPresets(sweep, spec);
  sweep.Field("test_metric", spec.test_metric);
  if (spec.ig_variant != Name(IntegratedGradientVariant::kPublished)) sweep.Field("ig_variant", spec.ig_variant);
  return Sha256Hex(sweep.text());
}

}  // namespace roar
