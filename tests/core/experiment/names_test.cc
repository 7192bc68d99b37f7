#include "core/experiment/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roar {
namespace {

using ::testing::ElementsAre;

// Sweep files, job keys and stored results hold these names, so they are frozen.
TEST(Names, AreFrozen) {
  EXPECT_THAT(ModelNames(), ElementsAre("bilstm_attention"));
  EXPECT_THAT(MeasureNames(), ElementsAre("random", "attention", "gradient", "input_times_gradient",
                                          "integrated_gradient", "mutual_information"));
  EXPECT_THAT(StrategyNames(), ElementsAre("roar", "recursive"));
  EXPECT_EQ(Name(MaskUnit::kRatioPercent), "ratios");
  EXPECT_EQ(Name(MaskUnit::kCount), "counts");
  EXPECT_EQ(Name(Split::kTrain), "train");
  EXPECT_EQ(Name(Split::kValidation), "validation");
  EXPECT_EQ(Name(Split::kTest), "test");
  EXPECT_EQ(Name(Metric::kAccuracy), "accuracy");
  EXPECT_EQ(Name(Metric::kMacroF1), "macro_f1");
  EXPECT_EQ(Name(Metric::kMicroF1), "micro_f1");
  EXPECT_EQ(Name(Metric::kAuroc), "auroc");
  EXPECT_EQ(Name(Measure::kRandom), "random");
  EXPECT_EQ(Name(Measure::kAttention), "attention");
  EXPECT_EQ(Name(Measure::kGradient), "gradient");
  EXPECT_EQ(Name(Measure::kInputTimesGradient), "input_times_gradient");
  EXPECT_EQ(Name(Measure::kIntegratedGradient), "integrated_gradient");
  EXPECT_EQ(Name(Measure::kMutualInformation), "mutual_information");
  EXPECT_EQ(Name(IntegratedGradientVariant::kPublished), "published");
  EXPECT_EQ(Name(IntegratedGradientVariant::kTextbook), "textbook");
  EXPECT_EQ(Name(Embeddings::kRandom), "random");
  EXPECT_EQ(Name(Embeddings::kZeros), "zeros");
  EXPECT_EQ(Name(Strategy::kRoar), "roar");
  EXPECT_EQ(Name(Strategy::kRecursive), "recursive");
  EXPECT_EQ(Name(Model::kBilstmAttention), "bilstm_attention");
}

// Every row of a table leads to a value of that name; tables grow, and this holds for the new row too.
TEST(Names, OfATableGoThereAndBack) {
  for (std::string_view name : ModelNames()) EXPECT_EQ(Name(ModelFromName(name).value()), name);
  for (std::string_view name : MeasureNames()) EXPECT_EQ(Name(MeasureFromName(name).value()), name);
  for (std::string_view name : StrategyNames()) EXPECT_EQ(Name(StrategyFromName(name).value()), name);
  for (std::string_view name : MetricNames()) EXPECT_EQ(Name(MetricFromName(name).value()), name);
  for (std::string_view name : EmbeddingsNames()) EXPECT_EQ(Name(EmbeddingsFromName(name).value()), name);
  for (std::string_view name : IntegratedGradientVariantNames()) {
    EXPECT_EQ(Name(IntegratedGradientVariantFromName(name).value()), name);
  }
  for (MaskUnit unit : {MaskUnit::kRatioPercent, MaskUnit::kCount}) EXPECT_EQ(MaskUnitFromName(Name(unit)), unit);
}

TEST(Names, AreMatchedExactly) {
  for (std::string_view name : {"", "Attention", "attention ", "attn", "a", "roar2"}) {
    EXPECT_FALSE(ModelFromName(name)) << name;
    EXPECT_FALSE(MeasureFromName(name)) << name;
    EXPECT_FALSE(StrategyFromName(name)) << name;
    EXPECT_FALSE(MaskUnitFromName(name)) << name;
    EXPECT_FALSE(MetricFromName(name)) << name;
  }
}

TEST(Names, RandomAndMutualInformationNeedNoModel) {
  for (std::string_view name : MeasureNames()) {
    EXPECT_EQ(NeedsModel(MeasureFromName(name).value()), name != "random" && name != "mutual_information") << name;
  }
}

TEST(Names, OnlyTheRandomBaselineNeedsNoExplanation) {
  for (std::string_view name : MeasureNames()) {
    EXPECT_EQ(NeedsExplanation(MeasureFromName(name).value()), name != "random") << name;
  }
}

}  // namespace
}  // namespace roar
