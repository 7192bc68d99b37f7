// What a session keeps in memory changes how fast a call is, and nothing else.

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ml/fresh_session.h"
#include "tests/ml/tiny_data.h"
#include "tests/support/temporary_folder.h"

namespace roar::ml {
namespace {

using ::testing::HasSubstr;

const ExplainSettings kExplanations[] = {{Measure::kAttention},
                                         {Measure::kGradient},
                                         {Measure::kInputTimesGradient},
                                         {Measure::kIntegratedGradient, IntegratedGradientVariant::kPublished},
                                         {Measure::kIntegratedGradient, IntegratedGradientVariant::kTextbook}};

EncodedDataset WithoutSecondSequence(EncodedDataset dataset) {
  for (auto& [split, examples] : dataset.splits) {
    for (EncodedExample& example : examples) example.second_tokens.clear();
  }
  return dataset;
}

class SessionTest : public ::testing::TestWithParam<bool> {
 protected:
  const EncodedDataset& dataset() const { return dataset_; }

  // Trains in `session_`; the checkpoint that it wrote.
  CheckpointFile MustTrain(std::int64_t seed = 7) {
    TrainSpec spec = TinySpec();
    spec.seed = seed;
    const std::filesystem::path path = folder_.path() / std::to_string(seed);
    const auto outcome = session_.Train(spec, dataset_, path, nullptr);
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return {path, outcome.ok() ? outcome->checkpoint_sha256 : ""};
  }

  absl::StatusOr<Scores> ExplainHere(const CheckpointFile& checkpoint, const TrainSpec& spec = TinySpec()) {
    return session_.Explain(spec, dataset_, {Measure::kGradient}, checkpoint, nullptr);
  }

  TemporaryFolder folder_;
  EncodedDataset dataset_ = GetParam() ? RandomDataset(1) : WithoutSecondSequence(RandomDataset(1));
  Session session_;
};

INSTANTIATE_TEST_SUITE_P(Models, SessionTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Pair" : "Single"; });

TEST_P(SessionTest, TheHashIsThatOfTheFile) {
  const CheckpointFile checkpoint = MustTrain();
  EXPECT_EQ(checkpoint.sha256, Sha256Hex(BytesOf(checkpoint.path)));
}

// One after the other, so that each measure also sees the model that the one before has worked with.
TEST_P(SessionTest, AWarmModelIsExplainedToTheSameBits) {
  const CheckpointFile checkpoint = MustTrain();
  for (const ExplainSettings& settings : kExplanations) {
    const auto warm = session_.Explain(TinySpec(), dataset(), {settings}, checkpoint, nullptr);
    ASSERT_TRUE(warm.ok()) << warm.status();
    const auto cold = Session().Explain(TinySpec(), dataset(), {settings}, checkpoint, nullptr);
    ASSERT_TRUE(cold.ok()) << cold.status();
    EXPECT_EQ(*warm, *cold) << Name(settings.measure);
  }
}

TEST_P(SessionTest, TheModelJustTrainedOrExplainedIsNotRead) {
  const CheckpointFile trained = MustTrain();
  const auto expected = ExplainHere(trained);
  std::filesystem::remove(trained.path);
  EXPECT_EQ(*ExplainHere(trained), *expected) << "after a training";

  const CheckpointFile read = MustTrain(8);
  session_ = Session();
  ASSERT_TRUE(ExplainHere(read).ok());
  std::filesystem::remove(read.path);
  EXPECT_TRUE(ExplainHere(read).ok()) << "after an explanation";
}

TEST_P(SessionTest, AnotherModelIsReadFromItsCheckpoint) {
  const CheckpointFile first = MustTrain(7);
  const auto of_first = ExplainHere(first);
  const CheckpointFile second = MustTrain(8);
  const auto of_second = ExplainHere(second);
  EXPECT_NE(*of_first, *of_second);
  EXPECT_EQ(*ExplainHere(first), *of_first);
  EXPECT_EQ(*ExplainHere(second), *of_second);
}

TEST_P(SessionTest, TrainingAfterTrainingGivesTheSameBytes) {
  const std::string first = MustTrain(7).sha256;
  MustTrain(8);
  EXPECT_EQ(MustTrain(7).sha256, first);
}

// What would be refused without a model in memory is refused with one.
TEST_P(SessionTest, AWarmModelIsNotTakenForASpecOrDataThatItDoesNotFit) {
  const CheckpointFile checkpoint = MustTrain();
  TrainSpec wider = TinySpec();
  ++wider.training.hidden_size;
  EXPECT_EQ(ExplainHere(checkpoint, wider).status().code(), absl::StatusCode::kDataLoss);

  MustTrain();
  ++dataset_.vocabulary_size;
  EXPECT_EQ(ExplainHere(checkpoint).status().code(), absl::StatusCode::kDataLoss);
}

TEST_P(SessionTest, AFailureLeavesNothingInMemory) {
  const CheckpointFile checkpoint = MustTrain();
  const auto cancel = [](Activity, double) { return false; };
  EXPECT_EQ(session_.Explain(TinySpec(), dataset(), {Measure::kGradient}, checkpoint, cancel).status().code(),
            absl::StatusCode::kCancelled);
  std::filesystem::remove(checkpoint.path);
  EXPECT_EQ(ExplainHere(checkpoint).status().code(), absl::StatusCode::kDataLoss);
}

TEST_P(SessionTest, ACheckpointOfAnotherHashIsRefusedWithBothHashes) {
  const CheckpointFile checkpoint = MustTrain();
  const auto scores = ExplainHere({checkpoint.path, std::string(64, '0')});
  EXPECT_EQ(scores.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(scores.status().message()), HasSubstr(checkpoint.sha256));
  EXPECT_THAT(std::string(scores.status().message()), HasSubstr(std::string(64, '0')));
}

}  // namespace
}  // namespace roar::ml
