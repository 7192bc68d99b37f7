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
  return "train/2\ndataset=" + kDataset + "\n" + after_dataset;
}

// Results are stored under these keys: a row changes only together with the version of its kind. The keys are SHA-256
// sums of the texts by another program.
const GoldenKey kGoldenKeys[] = {
    {Train(), TrainText("model=bilstm_attention\nmask=none\nseed=0\n"),
     "6b4e958327dfb6a958712e75d2f0b64f37dc19b1683db3da32534d9f692b68d4"},
    {WithSeed(4), TrainText("model=bilstm_attention\nmask=none\nseed=4\n"),
     "4148ba4f102015ca0bd75bcb852b2f02fb441169db9bbe3761de487636915335"},
    {WithMask(AllMasked{}), TrainText("model=bilstm_attention\nmask=all\nseed=0\n"),
     "2afc4576941902d951bae28bd8848a10d7de5d610a04eee434ef1e341f0d8171"},
    {WithLimit(1000), TrainText("dataset.limit=1000\nmodel=bilstm_attention\nmask=none\nseed=0\n"),
     "8a2a163c30cfb7768e421edde93bb93983873c97147639ac30ec7e8451de94dc"},
    {WithMask(RandomMask{MaskUnit::kRatioPercent, 30, 2}),
     TrainText("model=bilstm_attention\nmask=random\nmask.unit=ratios\nmask.amount=30\nmask.seed=2\nseed=0\n"),
     "1dacf56bc6301017ef271f11c32a3bb49af98b2ee513c32356601ee113ff3dc8"},
    {WithMask(RankedMask{kExplanation, MaskUnit::kCount, 3}),
     TrainText("model=bilstm_attention\nmask=after\nmask.explanation=" + kExplanation.hex() +
               "\nmask.unit=counts\nmask.amount=3\nseed=0\n"),
     "d94ead43737ce83b4a8d41464b2e3a41b8b40a7b2d5b408406bbc005fe6eda04"},
    {WithEverySettingChanged(),
     TrainText("model=bilstm_attention\ntraining.epochs=8\ntraining.batch_size=32\ntraining.learning_rate=5e-04\n"
               "training.weight_decay=0\ntraining.embedding_size=300\ntraining.hidden_size=128\n"
               "training.checkpoint_metric=macro_f1\nmask=none\nseed=0\n"),
     "8fd05459e613831e067b06513321fc3a6201351d187bb21fe4262f5cf0946293"},
    {ExplainSpec{KeyOf(Train()), Measure::kAttention},
     "explain/2\ntrain=6b4e958327dfb6a958712e75d2f0b64f37dc19b1683db3da32534d9f692b68d4\nmeasure=attention\n",
     "5fb75649efcb37a8bec076a5e391757257826901d256c6478babe8ff0481f666"},
    {ExplainSpec{KeyOf(Train()), Measure::kGradient},
     "explain/2\ntrain=6b4e958327dfb6a958712e75d2f0b64f37dc19b1683db3da32534d9f692b68d4\nmeasure=gradient\n",
     "d37b3d604b53147a2a4bec70b36a3b3342b29a6cf17382a4e1f4bfc04b13808a"},
    {WithZeros(),
     TrainText(
         "model=bilstm_attention\ntraining.checkpoint_metric=auroc\ntraining.embeddings=zeros\nmask=none\nseed=0\n"),
     "0681e0fe4e96ec84c6afd9cf88bfedc685ae97d03e1b59031f76a1a56aaa7b68"},
    {ExplainSpec{KeyOf(Train()), {Measure::kInputTimesGradient}},
     "explain/"
     "2\ntrain=6b4e958327dfb6a958712e75d2f0b64f37dc19b1683db3da32534d9f692b68d4\nmeasure=input_times_gradient\n",
     "3c7b03057e489b535d984ac673a991976c34c4e08d5fc94516508196db2ff723"},
    {ExplainSpec{KeyOf(Train()), {Measure::kIntegratedGradient}},
     "explain/2\ntrain=6b4e958327dfb6a958712e75d2f0b64f37dc19b1683db3da32534d9f692b68d4\nmeasure=integrated_gradient\n",
     "3abd8eb113425338f229f21ff2d4d03d6ebea9b0f35ea1328af3e73b1cc31ec2"},
    {ExplainSpec{KeyOf(Train()), {Measure::kIntegratedGradient, IntegratedGradientVariant::kTextbook}},
     "explain/2\ntrain=6b4e958327dfb6a958712e75d2f0b64f37dc19b1683db3da32534d9f692b68d4\nmeasure=integrated_gradient\n"
     "ig_variant=textbook\n",
     "4c5d02d5df21d43d5cdb5088f29a18b0a30b4c98c057d6b2d37e80c428888915"},
    {ExplainShardSpec{kExplanation, {.index = 1, .count = 3}},
     "explain_shard/1\nexplanation=" + kExplanation.hex() + "\nshard.index=1\nshard.count=3\n",
     "48cb2537333c085d91eb999cafd7010a02a22cfd2ec6f47f6d85d2a97f8f7c2c"},
    {ExplainSpec{MaskedData{{kDataset, 9}, NoMask{}}, {Measure::kMutualInformation}},
     "explain/2\ndataset=" + kDataset + "\ndataset.limit=9\nmask=none\nmeasure=mutual_information\n",
     "6fcaa9e6a8f21402298bda401b15bb746ac4198c10e2ccbe57b848711958c261"},
    {ExplainSpec{MaskedData{{kDataset}, RankedMask{kExplanation, MaskUnit::kRatioPercent, 30}},
                 {Measure::kMutualInformation}},
     "explain/2\ndataset=" + kDataset + "\nmask=after\nmask.explanation=" + kExplanation.hex() +
         "\nmask.unit=ratios\nmask.amount=30\nmeasure=mutual_information\n",
     "4cf0996b419a0de7374db11a394c01f7e6ee8f46e9479f7491f7cdf5a7ce7740"},
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
  EXPECT_EQ(key.Short(), "6b4e958327df");
  EXPECT_FALSE(key.empty());
  EXPECT_TRUE(JobKey().empty());
}

TEST(JobKind, IsThatOfTheSpec) {
  EXPECT_EQ(Name(KindOf(Train())), "train");
  EXPECT_EQ(Name(KindOf(ExplainSpec{})), "explain");
}

}  // namespace
}  // namespace roar
