#include "core/sweep/presets.h"

#include <gtest/gtest.h>

namespace roar {
namespace {

// method-recursive-roar.md section 4: bAbI with the BiLSTM.
TEST(PresetFor, BabiIsAsPublished) {
  for (const char* name : {"babi-1", "babi-2", "babi-3", "babi-gen-1", "babi-gen-2", "babi-gen-3"}) {
    const Preset preset = PresetFor(name, Model::kBilstmAttention);
    EXPECT_EQ(preset.training.epochs, 100) << name;
    EXPECT_EQ(preset.training.batch_size, 50) << name;
    EXPECT_EQ(preset.training.learning_rate, 1e-3) << name;
    EXPECT_EQ(preset.training.weight_decay, 1e-5) << name;
    EXPECT_EQ(preset.training.embedding_size, 50) << name;
    EXPECT_EQ(preset.training.hidden_size, 32) << name;
    EXPECT_EQ(preset.training.checkpoint_metric, Metric::kAccuracy) << name;
    EXPECT_EQ(preset.test_metric, Metric::kAccuracy) << name;
  }
}

TEST(PresetFor, AnUnknownNameGetsTheDefaults) {
  const Preset preset = PresetFor("my-texts", Model::kBilstmAttention);
  EXPECT_EQ(preset.training, TrainingSettings{});
  EXPECT_EQ(preset.test_metric, Metric::kAccuracy);
}

TEST(Resolve, KeepsThePresetWhereNothingIsWritten) {
  const TrainingSettings preset{8, 32, 0.5, 0.25, 300, 128, Metric::kMicroF1};
  EXPECT_EQ(Resolve(preset, {}), preset);
}

TEST(Resolve, EveryValueCanBeReplaced) {
  const TrainingOverrides overrides{1, 2, 0.5, 0.25, 3, 4, "macro_f1"};
  const TrainingSettings expected{1, 2, 0.5, 0.25, 3, 4, Metric::kMacroF1};
  EXPECT_EQ(Resolve(TrainingSettings{}, overrides), expected);
}

}  // namespace
}  // namespace roar
