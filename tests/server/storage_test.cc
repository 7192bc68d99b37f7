#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/experiment/sha256.h"
#include "proto/transport/durable_file.h"
#include "server/storage/artifact_store.h"
#include "server/storage/control_store.h"
#include "server/storage/state_folder.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

namespace roar::server {
namespace {

using testing::HasSubstr;

constexpr Migration kFirst = {1, "CREATE TABLE words (word TEXT NOT NULL) STRICT;"};
constexpr Migration kSecond = {2,
                               "ALTER TABLE words ADD COLUMN length INTEGER; UPDATE words SET length = length(word);"};
constexpr Migration kBroken = {3, "CREATE TABLE half (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1);"};
constexpr const Migration* kOne[] = {&kFirst};
constexpr const Migration* kTwo[] = {&kFirst, &kSecond};
constexpr const Migration* kThree[] = {&kFirst, &kSecond, &kBroken};
const Schema kOld = {"test", 77, kOne};
const Schema kNew = {"test", 77, kTwo};
const Schema kFailing = {"test", 77, kThree};

class DatabaseTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "test.db";
};

TEST_F(DatabaseTest, AnOldFileIsBackedUpAndUpgraded) {
  (*Database::Open(path_, kOld))->connection().exec("INSERT INTO words VALUES ('mask')");
  auto upgraded = Database::Open(path_, kNew);
  ASSERT_TRUE(upgraded.ok()) << upgraded.status();
  EXPECT_EQ((*upgraded)->connection().execAndGet("SELECT length FROM words").getInt(), 4);
  SQLite::Database backup(path_.string() + ".v1.backup");
  EXPECT_EQ(backup.execAndGet("SELECT word FROM words").getString(), "mask");
  EXPECT_EQ(backup.execAndGet("PRAGMA user_version").getInt(), 1);
}

TEST_F(DatabaseTest, ANewerSchemaIsRefused) {
  ASSERT_TRUE(Database::Open(path_, kNew).ok());
  const auto opened = Database::Open(path_, kOld);
  EXPECT_TRUE(absl::IsFailedPrecondition(opened.status())) << opened.status();
  EXPECT_THAT(std::string(opened.status().message()), HasSubstr("schema version 2"));
}

TEST_F(DatabaseTest, AStepThatFailsLeavesTheVersionBeforeIt) {
  EXPECT_FALSE(Database::Open(path_, kFailing).ok());
  auto opened = Database::Open(path_, kNew);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_FALSE((*opened)->connection().tableExists("half"));
}

TEST_F(DatabaseTest, AnotherProgramsFileIsRefused) {
  ASSERT_TRUE(Database::Open(path_, kNew).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(Database::Open(path_, kControlSchema).status()));
  WriteFileDurably(folder_.path() / "text", std::string(5000, 'x')).IgnoreError();
  EXPECT_TRUE(absl::IsFailedPrecondition(Database::Open(folder_.path() / "text", kNew).status()));
}

TEST_F(DatabaseTest, TheControlSchemaIsMadeFromNothingAndOpensAgain) {
  for (int i = 0; i < 2; ++i) {
    auto database = Database::Open(path_, kControlSchema);
    ASSERT_TRUE(database.ok()) << database.status();
    SQLite::Database& connection = (*database)->connection();
    EXPECT_EQ(connection.execAndGet("PRAGMA user_version").getInt(), kControlSchema.migrations.back()->version);
    EXPECT_EQ(connection.execAndGet("PRAGMA journal_mode").getString(), "wal");
    EXPECT_EQ(connection.execAndGet("PRAGMA synchronous").getInt(), 2);
    EXPECT_EQ(connection
                  .execAndGet("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND strict = 0"
                              " AND name NOT LIKE 'sqlite%'")
                  .getInt(),
              0);
  }
}

TEST(StateFolder, ASecondHolderIsToldOfTheFirst) {
  TemporaryFolder folder;
  auto first = StateFolder::Open(folder.path() / "state");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(std::filesystem::status((*first)->path()).permissions(), std::filesystem::perms::owner_all);
  const auto second = StateFolder::Open(folder.path() / "state");
  EXPECT_TRUE(absl::IsAlreadyExists(second.status()));
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(std::to_string(getpid())));
  first->reset();
  EXPECT_TRUE(StateFolder::Open(folder.path() / "state").ok());
}

TEST(StateFolder, NetworkFileSystemsAreRefusedByName) {
  constexpr std::uint32_t kNfs = 0x6969, kLustre = 0x0bd00bd0, kExt4 = 0xef53, kTmpfs = 0x01021994;
  EXPECT_THAT(std::string(CheckFileSystemType("/x", kNfs).message()), HasSubstr("NFS"));
  EXPECT_THAT(std::string(CheckFileSystemType("/x", kLustre).message()), HasSubstr("Lustre"));
  EXPECT_TRUE(CheckFileSystemType("/x", kExt4).ok());
  EXPECT_TRUE(CheckFileSystemType("/x", kTmpfs).ok());
}

class ArtifactStoreTest : public testing::Test {
 protected:
  std::unique_ptr<ArtifactStore> Open() { return *ArtifactStore::Open(folder_.path()); }
  TemporaryFolder folder_;
};

TEST_F(ArtifactStoreTest, AnUploadGoesOnAfterARestart) {
  const std::string content = "0123456789";
  for (ArtifactKind kind : {ArtifactKind::kCheckpoint, ArtifactKind::kRanking}) {
    const std::string bytes = kind == ArtifactKind::kRanking ? ZstdFrame(content) : content;
    const auto size = static_cast<std::int64_t>(bytes.size());
    const ArtifactId id{kind, Sha256Hex(content)};
    {
      auto store = Open();
      auto upload = store->StartUpload(id, size);
      ASSERT_TRUE((*upload)->Append(0, bytes.substr(0, 4)).ok());
      ASSERT_TRUE((*upload)->Finish().ok());
      EXPECT_FALSE(store->Has(id));
      EXPECT_TRUE(absl::IsUnavailable(store->StartUpload(id, size).status())) << "one upload at a time";
    }
    auto store = Open();
    EXPECT_EQ(store->Look(id).bytes, 4);
    auto upload = store->StartUpload(id, size);
    EXPECT_TRUE(absl::IsOutOfRange((*upload)->Append(0, bytes)));
    EXPECT_TRUE((*upload)->Append(4, bytes.substr(4)).ok());
    EXPECT_TRUE((*upload)->Finish().ok());
    upload->reset();
    EXPECT_TRUE(store->Look(id).complete);
    EXPECT_EQ(*store->Read(id, 3, 4), bytes.substr(3, 4));
    EXPECT_EQ(*store->Read(id, 8, 100), bytes.substr(8));
    EXPECT_TRUE(absl::IsAlreadyExists(store->StartUpload(id, size).status()));
  }
}

TEST_F(ArtifactStoreTest, OtherBytesThanAnnouncedAreNotKept) {
  auto store = Open();
  const ArtifactId id{ArtifactKind::kCheckpoint, Sha256Hex("right")};
  auto upload = store->StartUpload(id, 5);
  EXPECT_TRUE((*upload)->Append(0, "wrong").ok());
  EXPECT_TRUE(absl::IsResourceExhausted((*upload)->Append(5, "more")));
  EXPECT_TRUE(absl::IsDataLoss((*upload)->Finish()));
  EXPECT_EQ(store->Look(id).bytes, 0);
  EXPECT_TRUE(absl::IsNotFound(store->Read(id, 0, 1).status()));
}

TEST_F(ArtifactStoreTest, ADataSetAndARankingAreNamedByWhatTheirFrameHolds) {
  auto store = Open();
  const std::string content(300'000, 'a');
  const std::string frame = ZstdFrame(content);
  for (ArtifactKind kind : {ArtifactKind::kDataset, ArtifactKind::kRanking}) {
    const ArtifactId by_content{kind, Sha256Hex(content)};
    Store(*store, by_content, frame);
    EXPECT_TRUE(store->Has(by_content));
    const ArtifactId by_frame{kind, Sha256Hex(ZstdFrame("b"))};
    Store(*store, by_frame, ZstdFrame("b"));
    EXPECT_FALSE(store->Has(by_frame));
    const ArtifactId cut{kind, Sha256Hex("cut")};
    Store(*store, cut, frame.substr(0, frame.size() - 3));
    EXPECT_FALSE(store->Has(cut));
  }
}

}  // namespace
}  // namespace roar::server
