#pragma once

#include <string_view>

#include "core/sweep/sweep_spec.h"

namespace roar {

// What the published experiments do on a data set: training settings, and the metric its curves are drawn of.
struct Preset {
  TrainingSettings training;
  Metric test_metric = Metric::kAccuracy;
};

// The preset of a data set's name (method-recursive-roar.md sections 4 and 5), one table row each; `babi-gen-N` shares
// that of `babi-N`. A name without a row gets the defaults of TrainingSettings, with accuracy.
Preset PresetFor(std::string_view dataset_name, Model model);

// The settings with the user's values in place. A checkpoint_metric must be a known name (Validate() has told).
TrainingSettings Resolve(TrainingSettings preset, const TrainingOverrides& overrides);

}  // namespace roar
