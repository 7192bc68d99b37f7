#include "worker/runner/dataset_loader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "datasets/canonical.h"
#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker/runner/tiny_dataset.h"

namespace roar::runner {
namespace {

// A data set of so many examples per split, in a file that can be taken away.
class StoredDataset {
 public:
  explicit StoredDataset(std::int64_t examples) : content_(datasets::Encode(TinyDataset(examples))) {
    EXPECT_TRUE(WriteFileDurably(path(), content_.bytes).ok());
  }

  DatasetReference reference(std::int64_t limit = 0) const { return {content_.content_sha256, limit}; }
  std::filesystem::path path() const { return folder_.path() / "dataset"; }
  void Remove() const { std::filesystem::remove(path()); }

 private:
  TemporaryFolder folder_;
  datasets::CanonicalDataset content_;
};

std::size_t TrainExamples(DatasetLoader& loader, const StoredDataset& dataset, std::int64_t limit = 0) {
  const auto loaded = loader.Load(dataset.reference(limit), dataset.path());
  EXPECT_TRUE(loaded.ok()) << loaded.status();
  return loaded.ok() ? (*loaded)->splits.at(Split::kTrain).size() : 0;
}

TEST(DatasetLoaderTest, DatasetsThatTakeTurnsAreReadOnceEach) {
  const StoredDataset first(5), second(7);
  DatasetLoader loader;
  EXPECT_EQ(TrainExamples(loader, first), 5u);
  EXPECT_EQ(TrainExamples(loader, second), 7u);
  first.Remove();
  second.Remove();
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(TrainExamples(loader, first), 5u);
    EXPECT_EQ(TrainExamples(loader, second), 7u);
  }
}

TEST(DatasetLoaderTest, ADatasetIsAnotherWithAnotherLimit) {
  const StoredDataset dataset(7);
  DatasetLoader loader;
  EXPECT_EQ(TrainExamples(loader, dataset), 7u);
  EXPECT_EQ(TrainExamples(loader, dataset, 3), 3u);
  EXPECT_EQ(TrainExamples(loader, dataset), 7u);
}

// Room for about two: the third drives out the one used longest ago.
TEST(DatasetLoaderTest, WhatWasUsedLongestAgoIsForgottenWhenRoomIsShort) {
  const StoredDataset first(40), second(41), third(42);
  const std::size_t bytes_of_one = 3 * 42 * (sizeof(ml::EncodedExample) + 15 * sizeof(std::int32_t));
  DatasetLoader loader(2 * bytes_of_one);
  TrainExamples(loader, first);
  TrainExamples(loader, second);
  TrainExamples(loader, first);
  TrainExamples(loader, third);
  for (const StoredDataset* dataset : {&first, &second, &third}) dataset->Remove();
  EXPECT_EQ(TrainExamples(loader, first), 40u);
  EXPECT_EQ(TrainExamples(loader, third), 42u);
  EXPECT_TRUE(absl::IsNotFound(loader.Load(second.reference(), second.path()).status()));
}

TEST(DatasetLoaderTest, TheOneInUseIsKeptWhateverItTakes) {
  const StoredDataset first(5), second(7);
  DatasetLoader loader(1);
  TrainExamples(loader, first);
  TrainExamples(loader, second);
  first.Remove();
  second.Remove();
  EXPECT_EQ(TrainExamples(loader, second), 7u);
  EXPECT_FALSE(loader.Load(first.reference(), first.path()).ok());
}

}  // namespace
}  // namespace roar::runner
