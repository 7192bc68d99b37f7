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
    EXPECT_EQ(preset.training.embeddings, Embeddings::kRandom) << name;
    EXPECT_EQ(preset.test_metric, Metric::kAccuracy) << name;
    EXPECT_FALSE(preset.starts_from_word_vectors) << name;
  }
}

// Sections 4 and 5: SST with the BiLSTM.
TEST(PresetFor, SstIsAsPublishedButForTheWordVectors) {
  const Preset preset = PresetFor("sst", Model::kBilstmAttention);
  const TrainingSettings expected{8, 32, 1e-3, 1e-5, 300, 128, Metric::kAuroc, Embeddings::kZeros};
  EXPECT_EQ(preset.dataset, "sst");
  EXPECT_EQ(preset.training, expected);
  EXPECT_EQ(preset.test_metric, Metric::kMacroF1);
  EXPECT_TRUE(preset.starts_from_word_vectors);
}

// A model that a metric calls perfect must be one that the curve calls good.
TEST(PresetFor, DataOfOnesOwnGetTheSettingsOfSstButTheCheckpointByTheMetricOfTheCurves) {
  const Preset own = PresetFor("my-texts", Model::kBilstmAttention);
  const TrainingSettings expected{8, 32, 1e-3, 1e-5, 300, 128, Metric::kMacroF1, Embeddings::kZeros};
  EXPECT_EQ(own.dataset, "");
  EXPECT_EQ(own.training, expected);
  EXPECT_EQ(own.test_metric, expected.checkpoint_metric);
  EXPECT_FALSE(own.starts_from_word_vectors);
}

TEST(Resolve, KeepsThePresetWhereNothingIsWritten) {
  const TrainingSettings preset{8, 32, 0.5, 0.25, 300, 128, Metric::kMicroF1, Embeddings::kZeros};
  EXPECT_EQ(Resolve(preset, {}), preset);
}

TEST(Resolve, EveryValueCanBeReplaced) {
  const TrainingOverrides overrides{1, 2, 0.5, 0.25, 3, 4, "macro_f1", "zeros"};
  const TrainingSettings expected{1, 2, 0.5, 0.25, 3, 4, Metric::kMacroF1, Embeddings::kZeros};
  EXPECT_EQ(Resolve(TrainingSettings{}, overrides), expected);
}

}  // namespace
}  // namespace roar
