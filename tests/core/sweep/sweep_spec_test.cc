#include "core/sweep/sweep_spec.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/core/sweep/sample_sweep.h"

namespace roar {
namespace {

TEST(NearestName, IsTheKnownNameWithinAThirdOfTheLength) {
  const std::vector<std::string_view> known = {"random", "attention", "gradient"};
  const std::vector<std::pair<std::string, std::optional<std::string>>> table = {
      {"gradient", "gradient"},     // no edit
      {"gradiant", "gradient"},     // a replaced letter
      {"gradeint", "gradient"},     // two swapped letters are two edits
      {"atention", "attention"},    // a letter less
      {"attentionn", "attention"},  // a letter more
      {"Gradient", "gradient"},     // case counts
      {"rndm", std::nullopt},       // two edits of four letters
      {"randoXX", "random"},        // two edits of seven letters
      {"integrated_gradient", std::nullopt},
      {"lime", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [name, nearest] : table) EXPECT_EQ(NearestName(name, known), nearest) << name;
}

TEST(NearestName, PrefersTheFirstOfEquallyNearNames) {
  const std::vector<std::string_view> known = {"cat", "bat"};
  EXPECT_EQ(NearestName("hat", known), "cat");
  EXPECT_EQ(NearestName("hat", {}), std::nullopt);
}

// Values of an independent SHA-256 over the text written out by hand. They change with the versions of the jobs and
// with the presets.
TEST(SweepKey, IsFrozen) {
  SweepSpec spec = SampleSweep();
  EXPECT_EQ(SweepKey(spec), "cba08d0a62409f781ffa2e91ae2399a300d2f76ba5e30755968ace8d4203005a");
  spec.training = {8, 32, 2e-5, 0.01, 300, 128, "macro_f1"};
  spec.unit = MaskUnit::kCount;
  spec.datasets[0].reference.limit = 200;
  EXPECT_EQ(SweepKey(spec), "021693537697b899645de5f95b3f5b42a9b5078e46aaf0d86714d5a13e09337c");
}

TEST(SweepKey, DependsOnEveryField) {
  const std::vector<std::function<void(SweepSpec&)>> changes = {
      [](SweepSpec&) {},
      [](SweepSpec& s) { s.name = "other"; },
      [](SweepSpec& s) { s.datasets[0].name = "babi-2"; },
      [](SweepSpec& s) { s.datasets[0].reference.content_sha256 = std::string(64, 'b'); },
      [](SweepSpec& s) { s.datasets[0].reference.limit = 5; },
      [](SweepSpec& s) { s.datasets.push_back(s.datasets[0]); },
      [](SweepSpec& s) { s.models.clear(); },
      [](SweepSpec& s) { s.measures = {"gradient"}; },
      [](SweepSpec& s) { s.strategies = {"roar"}; },
      [](SweepSpec& s) { s.unit = MaskUnit::kCount; },
      [](SweepSpec& s) { s.steps.pop_back(); },
      [](SweepSpec& s) { s.seeds = {1}; },
      [](SweepSpec& s) { s.training.epochs = 1; },
      [](SweepSpec& s) { s.training.batch_size = 1; },
      [](SweepSpec& s) { s.training.learning_rate = 1; },
      [](SweepSpec& s) { s.training.weight_decay = 1; },
      [](SweepSpec& s) { s.training.embedding_size = 1; },
      [](SweepSpec& s) { s.training.hidden_size = 1; },
      [](SweepSpec& s) { s.training.checkpoint_metric = "accuracy"; },
      [](SweepSpec& s) { s.training.embeddings = "random"; },
      [](SweepSpec& s) { s.training.embeddings = "zeros"; },
      [](SweepSpec& s) { s.test_metric = "auroc"; },
      [](SweepSpec& s) { s.ig_variant = "textbook"; },
      [](SweepSpec& s) { s.name = "sample\ndataset=babi-1"; },
  };
  std::set<std::string> keys;
  for (const auto& change : changes) {
    SweepSpec spec = SampleSweep();
    change(spec);
    keys.insert(SweepKey(spec));
  }
  EXPECT_EQ(keys.size(), changes.size());
}

// Written or not, it is the same sweep.
TEST(SweepKey, DoesNotDependOnTheUsualVariant) {
  SweepSpec spec = SampleSweep();
  const std::string key = SweepKey(spec);
  spec.ig_variant = "published";
  EXPECT_EQ(SweepKey(spec), key);
}

}  // namespace
}  // namespace roar
