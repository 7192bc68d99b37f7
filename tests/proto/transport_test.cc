#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/experiment/sha256.h"
#include "proto/transport/access_file.h"
#include "proto/transport/channel.h"
#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"

namespace roar {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Message(const absl::Status& status) { return std::string(status.message()); }

int CountFiles(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(DurableFile, ReplacesTheWholeFileAndLeavesNothingElse) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  ASSERT_TRUE(WriteFileDurably(path, "first, and longer").ok());
  ASSERT_TRUE(WriteFileDurably(path, std::string("a\0b", 3), 0600).ok());
  EXPECT_EQ(*ReadFile(path), std::string("a\0b", 3));
  EXPECT_EQ(fs::status(path).permissions() & fs::perms::all, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(CountFiles(folder.path()), 1);
}

TEST(DurableFile, AFailedWriteNamesThePathAndLeavesTheOldFile) {
  TemporaryFolder folder;
  const absl::Status status = WriteFileDurably(folder.path() / "no such folder" / "file", "x");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(status), HasSubstr("no such folder"));
  // A folder cannot be replaced by a file: the rename fails after the bytes were written.
  fs::create_directories(folder.path() / "taken" / "inside");
  EXPECT_FALSE(WriteFileDurably(folder.path() / "taken", "x").ok());
  EXPECT_EQ(CountFiles(folder.path()), 1);
}

TEST(DurableFile, AFullDiskIsToldAsSuch) {
  const absl::Status status = WriteFileDurably("/dev/full/x", "x");
  EXPECT_FALSE(status.ok());
  errno = ENOSPC;
  EXPECT_EQ(SystemError("write /a").code(), absl::StatusCode::kResourceExhausted);
}

TEST(DurableFile, HashOfAFileIsThatOfItsBytes) {
  TemporaryFolder folder;
  const std::string bytes(200'000, 'r');
  ASSERT_TRUE(WriteFileDurably(folder.path() / "file", bytes).ok());
  EXPECT_EQ(*FileSha256(folder.path() / "file"), Sha256Hex(bytes));
  EXPECT_EQ(FileSha256(folder.path() / "none").status().code(), absl::StatusCode::kNotFound);
}

v1::Access SomeAccess() {
  v1::Access access;
  access.set_address("host:1234");
  access.set_token("secret");
  access.set_ca_certificate_pem("-----BEGIN\n\"quoted\"\n");
  access.set_certificate_name("roar-coordinator");
  return access;
}

TEST(AccessFile, ComesBackAsItWasWritten) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "access.json";
  ASSERT_TRUE(WriteAccessFile(path, SomeAccess()).ok());
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(ReadAccessFile(path)->SerializeAsString(), SomeAccess().SerializeAsString());
}

TEST(AccessFile, AnotherAddressTakesThePlaceOfItsOwn) {
  TemporaryFolder folder;
  v1::Access access = SomeAccess();
  access.set_local_address("unix:/run/roar.sock");
  ASSERT_TRUE(WriteAccessFile(folder.path() / "access.json", access).ok());
  access.set_address("other:9");
  access.clear_local_address();
  EXPECT_EQ(ReadAccessFile(folder.path() / "access.json", "other:9")->SerializeAsString(), access.SerializeAsString());
}

TEST(AccessFile, IsRefusedWhenOthersMayReadIt) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "access.json";
  ASSERT_TRUE(WriteAccessFile(path, SomeAccess()).ok());
  for (mode_t mode : {0644u, 0620u, 0602u}) {
    chmod(path.c_str(), mode);
    const absl::Status status = ReadAccessFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << mode;
    EXPECT_THAT(Message(status), HasSubstr("chmod 600"));
  }
  chmod(path.c_str(), 0440);
  EXPECT_TRUE(ReadAccessFile(path).ok());
}

TEST(AccessFile, SaysWhatIsWrongWithoutShowingTheToken) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "access.json";
  EXPECT_EQ(ReadAccessFile(path).status().code(), absl::StatusCode::kNotFound);
  for (const std::string text : {"", "{", "[]", "{\"token\": \"secret\"}", "{\"address\": \"a:1\"}"}) {
    ASSERT_TRUE(WriteFileDurably(path, text, 0600).ok());
    const absl::Status status = ReadAccessFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(Message(status), HasSubstr("access.json"));
    EXPECT_THAT(Message(status), testing::Not(HasSubstr("secret")));
  }
}

TEST(Channel, StatusCrossesBothWays) {
  for (int code = 0; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), code == 0 ? "" : "why");
    EXPECT_EQ(FromGrpc(ToGrpc(status)), status);
  }
}

}  // namespace
}  // namespace roar
