#include "core/experiment/job_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <variant>

#include "core/experiment/sha256.h"

namespace roar {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kDataset(64, 'a');
const JobKey kExplanation(std::string(64, 'b'));

// All training settings at their defaults.
TrainSpec Train() { return {.dataset = {.content_sha256 = kDataset}}; }

TrainSpec WithMask(const Mask& mask) {
  TrainSpec spec = Train();
  spec.mask = mask;
  return spec;
}

TrainSpec WithEverySettingChanged() {
  TrainSpec spec = Train();
  spec.training = {.epochs = 8,
                   .batch_size = 32,
                   .learning_rate = 5e-4,
                   .weight_decay = 0,
                   .embedding_size = 300,
                   .hidden_size = 128,
                   .checkpoint_metric = Metric::kMacroF1};
  return spec;
}

TrainSpec WithZeros() {
  TrainSpec spec = Train();
  spec.training.checkpoint_metric = Metric::kAuroc;
  spec.training.embeddings = Embeddings::kZeros;
  return spec;
}

TrainSpec WithSeed(std::int64_t seed) {
  TrainSpec spec = Train();
  spec.seed = seed;
  return spec;
}

TrainSpec WithLimit(std::int64_t limit) {
  TrainSpec spec = Train();
  spec.dataset.limit = limit;
  return spec;
}

struct GoldenKey {
  JobSpec spec;
  std::string text;
  const char* key;
};

std::string TrainText(const std::string& after_dataset) {
  return "train/1\ndataset=" + kDataset + "\n" + after_dataset;
}

// Results are stored under these keys: a row changes only together with the version of its kind. The keys are SHA-256
// sums of the texts by another program.
const GoldenKey kGoldenKeys[] = {
    {Train(), TrainText("model=bilstm_attention\nmask=none\nseed=0\n"),
     "d6d717e3c66c4cd3141fa4aee078cc4bb71e1746ef1f4bf22923deeea12e1c26"},
    {WithSeed(4), TrainText("model=bilstm_attention\nmask=none\nseed=4\n"),
     "107d98de6da823e17cf819debdc8e5aba22586fd629b55b2117078134f5943e3"},
    {WithMask(AllMasked{}), TrainText("model=bilstm_attention\nmask=all\nseed=0\n"),
     "ebc7a3404c47fa5c754126ea66aea418ad4d8e6d7dc4ca30f8995b7ec10132e0"},
    {WithLimit(1000), TrainText("dataset.limit=1000\nmodel=bilstm_attention\nmask=none\nseed=0\n"),
     "f7fcd54894b41bf56e2e9853360efe2187b28d3bfe07b7de531f395589cfc607"},
    {WithMask(RandomMask{MaskUnit::kRatioPercent, 30, 2}),
     TrainText("model=bilstm_attention\nmask=random\nmask.unit=ratios\nmask.amount=30\nmask.seed=2\nseed=0\n"),
     "76f9d92251b84268f5b4680db2d9bb0935fe4590c5e116fd06c8edb40c9242cb"},
    {WithMask(RankedMask{kExplanation, MaskUnit::kCount, 3}),
     TrainText("model=bilstm_attention\nmask=after\nmask.explanation=" + kExplanation.hex() +
               "\nmask.unit=counts\nmask.amount=3\nseed=0\n"),
     "964a0969641aed1f1f53f32ff10ace7173748c352c9f0ba21265344fa56446a2"},
    {WithEverySettingChanged(),
     TrainText("model=bilstm_attention\ntraining.epochs=8\ntraining.batch_size=32\ntraining.learning_rate=5e-04\n"
               "training.weight_decay=0\ntraining.embedding_size=300\ntraining.hidden_size=128\n"
               "training.checkpoint_metric=macro_f1\nmask=none\nseed=0\n"),
     "fa74ea10e74f42c70c24b46987b1754a436f9cf558e81281c123be4b9cff07f4"},
    {ExplainSpec{KeyOf(Train()), Measure::kAttention},
     "explain/1\ntrain=d6d717e3c66c4cd3141fa4aee078cc4bb71e1746ef1f4bf22923deeea12e1c26\nmeasure=attention\n",
     "3ab7575951fa8007394ba4a36e6bf8d9057728e706a75c93a1d4fe89e12c734f"},
    {ExplainSpec{KeyOf(Train()), Measure::kGradient},
     "explain/1\ntrain=d6d717e3c66c4cd3141fa4aee078cc4bb71e1746ef1f4bf22923deeea12e1c26\nmeasure=gradient\n",
     "366fe16dcd8325eceb4975d17e877e749a2976d06d46613e1a636ba8f0bd9816"},
    {WithZeros(),
     TrainText(
         "model=bilstm_attention\ntraining.checkpoint_metric=auroc\ntraining.embeddings=zeros\nmask=none\nseed=0\n"),
     "82cdc087e131aa9da4bbf6fdc70d75a4389ba687132eaa23af4d4807a72f3566"},
    {ExplainSpec{KeyOf(Train()), {Measure::kInputTimesGradient}},
     "explain/"
     "1\ntrain=d6d717e3c66c4cd3141fa4aee078cc4bb71e1746ef1f4bf22923deeea12e1c26\nmeasure=input_times_gradient\n",
     "034af6a880f72b5919b15d381870c1bb3699db70f90e0688f00028a3d39ab64a"},
    {ExplainSpec{KeyOf(Train()), {Measure::kIntegratedGradient}},
     "explain/1\ntrain=d6d717e3c66c4cd3141fa4aee078cc4bb71e1746ef1f4bf22923deeea12e1c26\nmeasure=integrated_gradient\n",
     "238b228f81cb2881b2595a473cacff2ea53753554943c560efb5aa2d75c28a6f"},
    {ExplainSpec{KeyOf(Train()), {Measure::kIntegratedGradient, IntegratedGradientVariant::kTextbook}},
     "explain/1\ntrain=d6d717e3c66c4cd3141fa4aee078cc4bb71e1746ef1f4bf22923deeea12e1c26\nmeasure=integrated_gradient\n"
     "ig_variant=textbook\n",
     "4e73b885a041a8985adcbdf22f0c3a83ea1da6c59b82d6792d41a7189b62b196"},
    {ExplainSpec{MaskedData{{kDataset, 9}, NoMask{}}, {Measure::kMutualInformation}},
     "explain/1\ndataset=" + kDataset + "\ndataset.limit=9\nmask=none\nmeasure=mutual_information\n",
     "5ed8a920b97f48452ce6f5f2003349ec9f79638fc60e0eb0481f45edc67a03af"},
    {ExplainSpec{MaskedData{{kDataset}, RankedMask{kExplanation, MaskUnit::kRatioPercent, 30}},
                 {Measure::kMutualInformation}},
     "explain/1\ndataset=" + kDataset + "\nmask=after\nmask.explanation=" + kExplanation.hex() +
         "\nmask.unit=ratios\nmask.amount=30\nmeasure=mutual_information\n",
     "64a3687151190247fd5b5cb5843635485db8578a6e579336efacbdf34faa15b8"},
};

TEST(JobKey, IsFrozen) {
  for (const GoldenKey& golden : kGoldenKeys) {
    EXPECT_EQ(CanonicalSpec(golden.spec), golden.text);
    EXPECT_EQ(KeyOf(golden.spec).hex(), golden.key) << golden.text;
  }
}

// A field added later must not change the key of the work that was done without it.
TEST(JobKey, LeavesOutEveryFieldAtItsDefault) {
  TrainSpec spelled_out = WithEverySettingChanged();
  spelled_out.training = TrainingSettings{};
  EXPECT_THAT(CanonicalSpec(spelled_out), Not(HasSubstr("training.")));
  EXPECT_THAT(CanonicalSpec(spelled_out), Not(HasSubstr("limit")));
}

TEST(JobKey, ReadsNothingMaskedAsNoMaskAndEverythingAsAll) {
  const JobKey none = KeyOf(Train());
  const JobKey all = KeyOf(WithMask(AllMasked{}));
  for (MaskUnit unit : {MaskUnit::kRatioPercent, MaskUnit::kCount}) {
    EXPECT_EQ(KeyOf(WithMask(RandomMask{unit, 0, 3})), none);
    EXPECT_EQ(KeyOf(WithMask(RankedMask{kExplanation, unit, 0})), none);
  }
  EXPECT_EQ(KeyOf(WithMask(RandomMask{MaskUnit::kRatioPercent, 100, 3})), all);
  EXPECT_EQ(KeyOf(WithMask(RankedMask{kExplanation, MaskUnit::kRatioPercent, 100})), all);
  // A hundred tokens are not every token.
  EXPECT_NE(KeyOf(WithMask(RandomMask{MaskUnit::kCount, 100, 3})), all);
  EXPECT_NE(KeyOf(WithMask(RankedMask{kExplanation, MaskUnit::kCount, 100})), all);
}

TEST(Normalized, ChangesNothingInBetween) {
  for (std::int64_t percent = 1; percent < 100; ++percent) {
    const Mask mask = RandomMask{MaskUnit::kRatioPercent, percent, 0};
    EXPECT_EQ(Normalized(mask), mask);
  }
  EXPECT_EQ(Normalized(NoMask{}), Mask(NoMask{}));
  EXPECT_EQ(Normalized(AllMasked{}), Mask(AllMasked{}));
}

// One change of one field each; a changed double by its last bit.
const std::map<std::string, std::function<void(TrainSpec&)>> kChanges = {
    {"dataset", [](TrainSpec& spec) { spec.dataset.content_sha256.back() = 'f'; }},
    {"limit", [](TrainSpec& spec) { spec.dataset.limit = 7; }},
    {"epochs", [](TrainSpec& spec) { ++spec.training.epochs; }},
    {"batch_size", [](TrainSpec& spec) { ++spec.training.batch_size; }},
    {"learning_rate", [](TrainSpec& spec) { spec.training.learning_rate = std::nextafter(1e-3, 1); }},
    {"weight_decay", [](TrainSpec& spec) { spec.training.weight_decay = std::nextafter(1e-5, 1); }},
    {"embedding_size", [](TrainSpec& spec) { ++spec.training.embedding_size; }},
    {"hidden_size", [](TrainSpec& spec) { ++spec.training.hidden_size; }},
    {"checkpoint_metric", [](TrainSpec& spec) { spec.training.checkpoint_metric = Metric::kMicroF1; }},
    {"embeddings", [](TrainSpec& spec) { spec.training.embeddings = Embeddings::kZeros; }},
    {"mask none", [](TrainSpec& spec) { spec.mask = NoMask{}; }},
    {"mask all", [](TrainSpec& spec) { spec.mask = AllMasked{}; }},
    {"mask unit", [](TrainSpec& spec) { std::get<RandomMask>(spec.mask).unit = MaskUnit::kCount; }},
    {"mask amount", [](TrainSpec& spec) { ++std::get<RandomMask>(spec.mask).amount; }},
    {"mask seed", [](TrainSpec& spec) { ++std::get<RandomMask>(spec.mask).seed; }},
    {"mask after",
     [](TrainSpec& spec) {
       spec.mask = RankedMask{kExplanation, MaskUnit::kRatioPercent, 30};
     }},
    {"mask after another",
     [](TrainSpec& spec) {
       spec.mask = RankedMask{JobKey(std::string(64, 'c')), MaskUnit::kRatioPercent, 30};
     }},
    {"seed", [](TrainSpec& spec) { ++spec.seed; }},
};

TEST(JobKey, AnyChangedFieldGivesAKeyOfItsOwn) {
  const TrainSpec base = WithMask(RandomMask{MaskUnit::kRatioPercent, 30, 0});
  std::map<JobKey, std::string> keys = {{KeyOf(base), "base"}};
  for (const auto& [name, change] : kChanges) {
    TrainSpec spec = base;
    change(spec);
    const auto [other, inserted] = keys.emplace(KeyOf(spec), name);
    EXPECT_TRUE(inserted) << name << " has the key of " << other->second;
  }
}

TEST(JobKey, OfAnExplanationDependsOnItsTrainingAndMeasure) {
  const JobKey key = KeyOf(ExplainSpec{KeyOf(Train()), Measure::kAttention});
  EXPECT_NE(key, KeyOf(ExplainSpec{KeyOf(WithSeed(1)), Measure::kAttention}));
  EXPECT_NE(key, KeyOf(ExplainSpec{KeyOf(Train()), Measure::kGradient}));
}

TEST(JobKey, DependsOnTheVariantOfIntegratedGradientForThatMeasureOnly) {
  for (const std::string_view name : MeasureNames()) {
    const Measure measure = *MeasureFromName(name);
    const JobKey published = KeyOf(ExplainSpec{KeyOf(Train()), {measure, IntegratedGradientVariant::kPublished}});
    const JobKey textbook = KeyOf(ExplainSpec{KeyOf(Train()), {measure, IntegratedGradientVariant::kTextbook}});
    EXPECT_EQ(published != textbook, measure == Measure::kIntegratedGradient) << name;
  }
}

TEST(JobKey, OfAnExplanationOfDataReadsAMaskAsThatOfATrainingDoes) {
  const auto key = [](const Mask& mask) {
    return KeyOf(ExplainSpec{MaskedData{{kDataset}, mask}, {Measure::kMutualInformation}});
  };
  EXPECT_EQ(key(RankedMask{kExplanation, MaskUnit::kRatioPercent, 0}), key(NoMask{}));
  EXPECT_EQ(key(RankedMask{kExplanation, MaskUnit::kRatioPercent, 100}), key(AllMasked{}));
  EXPECT_NE(key(RankedMask{kExplanation, MaskUnit::kRatioPercent, 10}), key(NoMask{}));
}

TEST(JobKey, IsAHashWithAShortForm) {
  const JobKey key = KeyOf(Train());
  EXPECT_TRUE(IsSha256Hex(key.hex()));
  EXPECT_EQ(key.Short(), "d6d717e3c66c");
  EXPECT_FALSE(key.empty());
  EXPECT_TRUE(JobKey().empty());
}

TEST(JobKind, IsThatOfTheSpec) {
  EXPECT_EQ(Name(KindOf(Train())), "train");
  EXPECT_EQ(Name(KindOf(ExplainSpec{})), "explain");
}

}  // namespace
}  // namespace roar
