#include "client/sweep_settings.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/output/table.h"
#include "core/sweep/presets.h"

namespace roar {
namespace {

using output::Json;

constexpr char kSweepFile[] = "sweep file";

// The settings of one data set and model, of which those absent in the sweep's overrides come from the preset.
class Collector {
 public:
  explicit Collector(const Preset& preset)
      : source_(preset.dataset.empty() ? "default for data of one's own"
                                       : absl::StrCat("preset ", std::string(preset.dataset))) {}

  template <typename Override>
  void Add(const std::string& name, Json value, const std::optional<Override>& written) {
    settings_.push_back({name, std::move(value), written ? kSweepFile : source_});
  }
  void Add(Setting setting) { settings_.push_back(std::move(setting)); }
  std::vector<Setting> Take() { return std::move(settings_); }

 private:
  std::string source_;
  std::vector<Setting> settings_;
};

std::vector<Setting> SettingsOf(const SweepSpec& spec, const Preset& preset) {
  const TrainingOverrides& written = spec.training;
  const TrainingSettings training = Resolve(preset.training, written);
  Collector settings(preset);
  settings.Add("epochs", training.epochs, written.epochs);
  settings.Add("batch_size", training.batch_size, written.batch_size);
  settings.Add("learning_rate", training.learning_rate, written.learning_rate);
  settings.Add("weight_decay", training.weight_decay, written.weight_decay);
  settings.Add("embedding_size", training.embedding_size, written.embedding_size);
  settings.Add("hidden_size", training.hidden_size, written.hidden_size);
  settings.Add("checkpoint_metric", std::string(Name(training.checkpoint_metric)), written.checkpoint_metric);
  settings.Add("embeddings", std::string(Name(training.embeddings)), written.embeddings);
  settings.Add("test_metric", spec.test_metric.value_or(std::string(Name(preset.test_metric))), spec.test_metric);
  if (std::ranges::count(spec.measures, Name(Measure::kIntegratedGradient)) > 0) {
    const std::string usual(Name(IntegratedGradientVariant::kPublished));
    settings.Add({"ig_variant", spec.ig_variant.value_or(usual), spec.ig_variant ? kSweepFile : "default"});
  }
  return settings.Take();
}

std::string Text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

std::vector<Configuration> ConfigurationsOf(const SweepSpec& spec) {
  std::vector<Configuration> configurations;
  for (const SweepDataset& dataset : spec.datasets) {
    for (const std::string& model : spec.models) {
      const Preset preset = PresetFor(dataset.name, *ModelFromName(model));
      configurations.push_back({dataset.name, model, SettingsOf(spec, preset)});
    }
  }
  return configurations;
}

std::string ConfigurationTable(const std::vector<Configuration>& configurations) {
  output::Table table({{"DATA SET"}, {"MODEL"}, {"SETTING"}, {"VALUE"}, {"SOURCE"}});
  for (const Configuration& configuration : configurations) {
    for (const Setting& setting : configuration.settings) {
      table.AddRow({configuration.dataset, configuration.model, setting.name, Text(setting.value), setting.source});
    }
  }
  return table.Render();
}

output::Json ConfigurationsJson(const std::vector<Configuration>& configurations) {
  Json list = Json::array();
  for (const Configuration& configuration : configurations) {
    Json settings = Json::object();
    for (const Setting& setting : configuration.settings) {
      settings[setting.name] = {{"value", setting.value}, {"source", setting.source}};
    }
    list.push_back({{"dataset", configuration.dataset}, {"model", configuration.model}, {"settings", settings}});
  }
  return list;
}

}  // namespace roar
