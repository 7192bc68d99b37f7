#pragma once

#include <string_view>

#include "core/sweep/sweep_spec.h"

namespace roar {

// What the published experiments do on a data set: training settings, and the metric its curves are drawn of.
struct Preset {
  // Of its row; empty for data of one's own.
  std::string_view dataset;
  TrainingSettings training;
  Metric test_metric = Metric::kAccuracy;
  // The published experiment starts from word vectors, which cannot be read: the user says what to start from, and
  // Validate() tells so.
  bool starts_from_word_vectors = false;
};

// The preset of a data set's name (method-recursive-roar.md sections 4 and 5), one table row each; `babi-gen-N` shares
// that of `babi-N`. A name without a row is data of one's own: the settings of `sst` with embeddings of zeros, but the
// checkpoint by macro F1, the metric of its curves.
Preset PresetFor(std::string_view dataset_name, Model model);

// The settings with the user's values in place. Names must be known ones (Validate() has told).
TrainingSettings Resolve(TrainingSettings preset, const TrainingOverrides& overrides);

}  // namespace roar
