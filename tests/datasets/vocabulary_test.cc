#include "datasets/text/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roar::datasets {
namespace {

using ::testing::ElementsAre;

Dataset SmallDataset() {
  Dataset dataset = {.labels = {"a"}, .has_second_sequence = true};
  dataset.splits[Split::kTrain] = {{.tokens = {"the", "Cat", "the"}, .second_tokens = {"where", "\xc3\xa9"}},
                                   {.tokens = {"cat", "the"}, .second_tokens = {"where"}}};
  dataset.splits[Split::kTest] = {{.tokens = {"dog"}, .second_tokens = {}}};
  return dataset;
}

std::vector<std::string> Words(const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) words.push_back(vocabulary.Word(id));
  return words;
}

TEST(Vocabulary, HoldsSpecialsThenTheTrainWordsOfBothSequencesInByteOrder) {
  EXPECT_THAT(Words(Vocabulary::FromTrainSplit(SmallDataset())),
              ElementsAre("[PAD]", "[CLS]", "[EOS]", "[MASK]", "[UNK]", "Cat", "cat", "the", "where", "\xc3\xa9"));
}

TEST(Vocabulary, RareWordsAreUnknownAndCountsSpanBothSequencesAndExamples) {
  EXPECT_THAT(Words(Vocabulary::FromTrainSplit(SmallDataset(), 2)),
              ElementsAre("[PAD]", "[CLS]", "[EOS]", "[MASK]", "[UNK]", "the", "where"));
}

TEST(Vocabulary, EncodesBetweenClsAndEosWithUnknownForTheRest) {
  const Vocabulary vocabulary = Vocabulary::FromTrainSplit(SmallDataset());
  EXPECT_THAT(vocabulary.Encode({"the", "dog", "Cat"}), ElementsAre(1, 7, 4, 5, 2));
  EXPECT_THAT(vocabulary.Encode({}), ElementsAre(1, 2));
}

TEST(Vocabulary, AWordSpelledLikeASpecialIsAWord) {
  Dataset dataset = SmallDataset();
  dataset.splits[Split::kTrain][0].tokens = {"[PAD]", "[MASK]"};
  const Vocabulary vocabulary = Vocabulary::FromTrainSplit(dataset);
  for (const std::int32_t id : vocabulary.Encode({"[PAD]", "[MASK]"})) {
    EXPECT_THAT(id, testing::AnyOf(1, 2, testing::Gt(4)));
  }
  EXPECT_THAT(vocabulary.Encode({"[CLS]"}), ElementsAre(1, 4, 2));
}

TEST(Vocabulary, WithoutTrainSplitOnlySpecials) { EXPECT_EQ(Vocabulary::FromTrainSplit({}).size(), 5); }

}  // namespace
}  // namespace roar::datasets
