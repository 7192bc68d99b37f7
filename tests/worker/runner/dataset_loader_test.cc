#include "worker/runner/dataset_loader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "datasets/canonical.h"
#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker/runner/tiny_dataset.h"

namespace roar::runner {
namespace {

// A data set of so many examples per split, in a file that can be taken away.
class StoredDataset {
 public:
  explicit StoredDataset(std::int64_t examples) : StoredDataset(TinyDataset(examples)) {}
  explicit StoredDataset(const datasets::Dataset& dataset) : content_(datasets::Encode(dataset)) {
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

TEST(DatasetLoaderTest, ALimitThatLeavesOneClassIsRefused) {
  datasets::Dataset sorted = TinyDataset(30);
  std::ranges::stable_sort(sorted.splits.at(Split::kTrain), {}, &datasets::Example::label);
  const StoredDataset dataset(sorted);
  const auto of_first =
      static_cast<std::int64_t>(std::ranges::count(sorted.splits.at(Split::kTrain), 0, &datasets::Example::label));
  DatasetLoader loader;
  for (const std::int64_t limit : {std::int64_t{1}, of_first}) {
    const absl::Status status = loader.Load(dataset.reference(limit), dataset.path()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_EQ(std::string(status.message()),
              absl::StrCat("with the limit ", limit, ", train of the data set ", dataset.reference().content_sha256,
                           " has only the class \"garden\"; shuffle the file and import it again, or raise the limit"));
  }
  EXPECT_EQ(TrainExamples(loader, dataset, of_first + 1), of_first + 1);
  EXPECT_EQ(TrainExamples(loader, dataset), 30u);
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
