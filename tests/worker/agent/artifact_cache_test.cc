#include "worker/agent/artifact_cache.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>

#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"

namespace roar::agent {
namespace {

const std::string kSha256(64, 'a');
const std::string kOtherSha256(64, 'b');

// A coordinator whose artifacts hold their own hash.
class ArtifactCacheTest : public testing::Test {
 protected:
  ArtifactTransfer CountingTransfer() {
    return {.download =
                [this](const ArtifactName& name, const std::filesystem::path& to) {
                  ++downloads_;
                  if (gate_ != nullptr) gate_->wait();
                  return download_result_.ok() ? WriteFileDurably(to, name.sha256) : download_result_;
                },
            .upload =
                [this](const ArtifactName& name, const std::filesystem::path& from) {
                  uploaded_ = name;
                  return std::filesystem::exists(from) ? upload_result_ : absl::NotFoundError("nothing to upload");
                }};
  }

  TemporaryFolder folder_;
  std::atomic<int> downloads_ = 0;
  std::promise<void> download_may_end_;
  std::shared_future<void>* gate_ = nullptr;
  absl::Status download_result_;
  absl::Status upload_result_;
  ArtifactName uploaded_;
  ArtifactCache cache_{folder_.path() / "cache", CountingTransfer()};
};

TEST_F(ArtifactCacheTest, DownloadsOnceAndKeepsRolesApart) {
  const auto first = cache_.Fetch("dataset", kSha256);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(*ReadFile(*first), kSha256);
  EXPECT_EQ(*cache_.Fetch("dataset", kSha256), *first);
  EXPECT_EQ(downloads_, 1);
  EXPECT_NE(*cache_.Fetch("ranking", kSha256), *first);
  EXPECT_EQ(downloads_, 2);
}

TEST_F(ArtifactCacheTest, TwoThatWantTheSameWaitForOneDownload) {
  std::shared_future<void> gate = download_may_end_.get_future().share();
  gate_ = &gate;
  auto fetch = [&] { return cache_.Fetch("checkpoint", kSha256).ok(); };
  auto first = std::async(std::launch::async, fetch);
  auto second = std::async(std::launch::async, fetch);
  download_may_end_.set_value();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(second.get());
  EXPECT_EQ(downloads_, 1);
}

TEST_F(ArtifactCacheTest, AFailedDownloadIsTriedAgain) {
  download_result_ = absl::UnavailableError("away");
  EXPECT_TRUE(absl::IsUnavailable(cache_.Fetch("ranking", kSha256).status()));
  download_result_ = absl::OkStatus();
  EXPECT_TRUE(cache_.Fetch("ranking", kSha256).ok());
}

TEST_F(ArtifactCacheTest, WhatIsStoredIsUploadedAndNeedsNoDownload) {
  const std::filesystem::path output = folder_.path() / "output";
  ASSERT_TRUE(WriteFileDurably(output, "weights").ok());
  ASSERT_TRUE(cache_.Store("checkpoint", kOtherSha256, output).ok());
  EXPECT_EQ(uploaded_.kind, v1::ARTIFACT_KIND_CHECKPOINT);
  EXPECT_EQ(uploaded_.sha256, kOtherSha256);
  EXPECT_EQ(*ReadFile(*cache_.Fetch("checkpoint", kOtherSha256)), "weights");
  EXPECT_EQ(downloads_, 0);
}

TEST_F(ArtifactCacheTest, WhatCouldNotBeUploadedStaysForAnotherTry) {
  const std::filesystem::path output = folder_.path() / "output";
  ASSERT_TRUE(WriteFileDurably(output, "weights").ok());
  upload_result_ = absl::UnavailableError("away");
  EXPECT_TRUE(absl::IsUnavailable(cache_.Store("checkpoint", kOtherSha256, output)));
  EXPECT_TRUE(std::filesystem::exists(output));
}

TEST_F(ArtifactCacheTest, ADroppedArtifactIsDownloadedAgain) {
  ASSERT_TRUE(cache_.Fetch("dataset", kSha256).ok());
  cache_.Drop("dataset", kSha256);
  ASSERT_TRUE(cache_.Fetch("dataset", kSha256).ok());
  EXPECT_EQ(downloads_, 2);
}

TEST_F(ArtifactCacheTest, NamesThatLeadElsewhereAreRefused) {
  EXPECT_TRUE(absl::IsInvalidArgument(cache_.Fetch("../log", kSha256).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(cache_.Fetch("dataset", "../../etc/passwd").status()));
  EXPECT_EQ(downloads_, 0);
}

}  // namespace
}  // namespace roar::agent
