#include "client/sweep_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace roar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SweepSpec Sweep(std::vector<std::string> datasets) {
  SweepSpec spec{.name = "settings", .models = {"bilstm_attention"}, .measures = {"gradient"}};
  for (std::string& name : datasets) spec.datasets.push_back({.name = std::move(name)});
  return spec;
}

// Settings as "VALUE (SOURCE)", by name.
std::map<std::string, std::string> Shown(const Configuration& configuration) {
  std::map<std::string, std::string> shown;
  for (const Setting& setting : configuration.settings) {
    shown[setting.name] = setting.value.dump() + " (" + setting.source + ")";
  }
  return shown;
}

TEST(ConfigurationsOf, EverySettingHasASource) {
  SweepSpec spec = Sweep({"sst", "babi-gen-1", "my-texts"});
  spec.training.embeddings = "zeros";
  spec.training.learning_rate = 0.01;
  const std::vector<Configuration> configurations = ConfigurationsOf(spec);
  ASSERT_EQ(configurations.size(), 3u);
  const std::map<std::string, std::string> sst = {{"epochs", "8 (preset sst)"},
                                                  {"batch_size", "32 (preset sst)"},
                                                  {"learning_rate", "0.01 (sweep file)"},
                                                  {"weight_decay", "1e-05 (preset sst)"},
                                                  {"embedding_size", "300 (preset sst)"},
                                                  {"hidden_size", "128 (preset sst)"},
                                                  {"embeddings", "\"zeros\" (sweep file)"},
                                                  {"checkpoint_metric", "\"auroc\" (preset sst)"},
                                                  {"test_metric", "\"macro_f1\" (preset sst)"}};
  EXPECT_EQ(Shown(configurations[0]), sst);
  EXPECT_EQ(Shown(configurations[1])["epochs"], "100 (preset babi-1)");
  EXPECT_EQ(Shown(configurations[1])["embeddings"], "\"zeros\" (sweep file)");
  EXPECT_EQ(Shown(configurations[2])["epochs"], "8 (default for data of one's own)");
  EXPECT_EQ(Shown(configurations[2])["checkpoint_metric"], "\"macro_f1\" (default for data of one's own)");
  EXPECT_EQ(Shown(configurations[2])["test_metric"], "\"macro_f1\" (default for data of one's own)");
}

TEST(ConfigurationsOf, EveryOverrideIsOfTheSweepFile) {
  SweepSpec spec = Sweep({"babi-1"});
  spec.measures = {"integrated_gradient"};
  spec.training = {1, 2, 0.5, 0.25, 3, 4, "macro_f1", "zeros"};
  spec.test_metric = "micro_f1";
  spec.ig_variant = "textbook";
  const std::map<std::string, std::string> expected = {{"epochs", "1 (sweep file)"},
                                                       {"batch_size", "2 (sweep file)"},
                                                       {"learning_rate", "0.5 (sweep file)"},
                                                       {"weight_decay", "0.25 (sweep file)"},
                                                       {"embedding_size", "3 (sweep file)"},
                                                       {"hidden_size", "4 (sweep file)"},
                                                       {"embeddings", "\"zeros\" (sweep file)"},
                                                       {"checkpoint_metric", "\"macro_f1\" (sweep file)"},
                                                       {"test_metric", "\"micro_f1\" (sweep file)"},
                                                       {"ig_variant", "\"textbook\" (sweep file)"}};
  EXPECT_EQ(Shown(ConfigurationsOf(spec)[0]), expected);
}

TEST(ConfigurationsOf, TheVariantIsThereWithItsMeasureOnly) {
  SweepSpec spec = Sweep({"babi-1"});
  EXPECT_EQ(Shown(ConfigurationsOf(spec)[0]).count("ig_variant"), 0u);
  spec.measures.push_back("integrated_gradient");
  EXPECT_EQ(Shown(ConfigurationsOf(spec)[0])["ig_variant"], "\"published\" (default)");
}

TEST(ConfigurationTable, IsForPeopleAndTheJsonForPrograms) {
  const std::vector<Configuration> configurations = {
      {"sst", "bilstm_attention", {{"epochs", 8, "preset sst"}, {"embeddings", "zeros", "sweep file"}}}};
  EXPECT_EQ(ConfigurationTable(configurations),
            "DATA SET  MODEL             SETTING     VALUE  SOURCE\n"
            "sst       bilstm_attention  epochs      8      preset sst\n"
            "sst       bilstm_attention  embeddings  zeros  sweep file\n");
  EXPECT_EQ(ConfigurationsJson(configurations).dump(),
            R"([{"dataset":"sst","model":"bilstm_attention","settings":{"epochs":{"value":8,"source":"preset sst"},)"
            R"("embeddings":{"value":"zeros","source":"sweep file"}}}])");
}

}  // namespace
}  // namespace roar
