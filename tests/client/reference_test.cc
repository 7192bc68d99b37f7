#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/commands/command.h"
#include "client/reference/man.h"
#include "client/reference/markdown.h"
#include "proto/transport/durable_file.h"
#include "tests/support/run_roar.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"

namespace roar {
namespace {

using ::testing::HasSubstr;

TEST(ReferenceTest, TheCommittedCommandReferenceIsTheOneThatIsMade) {
  const auto committed = ReadFile(std::filesystem::path(ROAR_SOURCE_DIR) / "docs/command-reference.md");
  ASSERT_TRUE(committed.ok()) << committed.status();
  // Compared before it is asserted, so that a failure prints what to do and not both files.
  const bool is_equal = *committed == reference::CommandReference();
  EXPECT_TRUE(is_equal) << "make it anew: roar reference commands > docs/command-reference.md";
  EXPECT_EQ(RunRoar({"reference", "commands"}).output, reference::CommandReference());
}

TEST(ReferenceTest, HasASectionForEveryCommand) {
  const std::string text = reference::CommandReference();
  for (const Command& command : Commands()) {
    EXPECT_THAT(text, HasSubstr(absl::StrCat("\n## roar ", WordsOf(command), "\n")));
  }
}

TEST(ManPagesTest, ThereIsOneForEveryCommandAndOneForAll) {
  const TemporaryFolder folder;
  const RoarOutcome outcome = RunRoar({"reference", "man", "--into", (folder.path() / "man1").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "man1")) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(names.size(), Commands().size() + 2);
  EXPECT_TRUE(names.contains("roar.1"));
  EXPECT_TRUE(names.contains("roar-sweep-file.5"));
  EXPECT_TRUE(names.contains("roar-data-import.1"));
}

TEST(ManPagesTest, WithoutAFolderNothingIsWritten) {
  const RoarOutcome outcome = RunRoar({"reference", "man"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("--into DIR"));
}

// groff warns of everything that it does not understand or that does not fit.
TEST(ManPagesTest, AreCleanRoff) {
  if (!HasProgram("groff")) GTEST_SKIP() << "groff is not installed";
  const TemporaryFolder folder;
  for (const reference::ManPage& page : reference::ManPages()) {
    const std::string path = folder.path() / page.file_name;
    ASSERT_TRUE(WriteFileDurably(path, page.text).ok());
    const ShellOutcome outcome = RunShell(absl::StrCat("groff -Tutf8 -man -ww -rLL=80n ", path, " 2>&1 >/dev/null"));
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output, "") << page.file_name;
  }
}

TEST(ManPagesTest, ShowWhatTheHelpSays) {
  if (!HasProgram("groff")) GTEST_SKIP() << "groff is not installed";
  const TemporaryFolder folder;
  for (const reference::ManPage& page : reference::ManPages()) {
    if (page.file_name != "roar-wait.1") continue;
    const std::string path = folder.path() / page.file_name;
    ASSERT_TRUE(WriteFileDurably(path, page.text).ok());
    const std::string shown = RunShell(absl::StrCat("groff -Tascii -man -P-cbou ", path)).output;
    for (const std::string part : {"roar wait [SWEEP] [OPTIONS]", "--timeout SECONDS", "roar wait 3 --timeout 3600",
                                   "EXIT STATUS", "the time is up", "roar-watch(1)", "roar-results(1)"}) {
      EXPECT_THAT(shown, HasSubstr(part));
    }
    return;
  }
  FAIL() << "there is no page of roar wait";
}

}  // namespace
}  // namespace roar
