#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/reference/candidates.h"
#include "client/reference/completion_scripts.h"
#include "tests/support/run_roar.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"

namespace roar {
namespace {

using reference::Candidates;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> WordsAfter(const std::vector<std::string>& words) {
  std::vector<std::string> candidates;
  for (const reference::Candidate& candidate : reference::CandidatesFor(words).words) {
    candidates.push_back(candidate.word);
  }
  return candidates;
}

Candidates::Paths PathsAfter(const std::vector<std::string>& words) { return reference::CandidatesFor(words).paths; }

TEST(CandidatesTest, CommandsAndGroupsComeFirst) {
  EXPECT_THAT(WordsAfter({""}), IsSupersetOf({"run", "results", "data", "server"}));
  EXPECT_THAT(WordsAfter({"ra"}), ElementsAre("racu"));
  EXPECT_THAT(WordsAfter({"data", ""}), IsSupersetOf({"import", "list", "show"}));
  EXPECT_THAT(WordsAfter({"data", "im"}), ElementsAre("import"));
  EXPECT_THAT(WordsAfter({"--state", "/x", "ra"}), ElementsAre("racu"));
  EXPECT_THAT(WordsAfter({"no-command", ""}), IsEmpty());
}

TEST(CandidatesTest, OptionsAreThoseOfTheCommandAndOfAll) {
  EXPECT_THAT(WordsAfter({"run", "--"}), IsSupersetOf({"--slots", "--state", "--json", "--help"}));
  EXPECT_THAT(WordsAfter({"run", "a.yaml", "--sl"}), ElementsAre("--slots"));
  EXPECT_THAT(WordsAfter({"data", "import", "--f"}), ElementsAre("--format"));
  EXPECT_THAT(WordsAfter({"list", "--"}), Not(Contains("--slots")));
  // It prints no JSON.
  EXPECT_THAT(WordsAfter({"completion", "--"}), Not(Contains("--json")));
  // What stands there already is not offered again.
  EXPECT_THAT(WordsAfter({"run", "--slots", "2", "--sl"}), IsEmpty());
  // After -- there are only arguments.
  EXPECT_THAT(WordsAfter({"run", "--", "--sl"}), IsEmpty());
}

TEST(CandidatesTest, ValuesOfAListAreOffered) {
  EXPECT_THAT(WordsAfter({"data", "import", "x", "y", "--format", ""}), ElementsAre("tsv", "csv", "jsonl"));
  EXPECT_THAT(WordsAfter({"data", "import", "x", "y", "--format", "j"}), ElementsAre("jsonl"));
  EXPECT_THAT(WordsAfter({"data", "import", "x", "y", "--format=j"}), ElementsAre("--format=jsonl"));
  // As bash splits it.
  EXPECT_THAT(WordsAfter({"data", "import", "x", "y", "--format", "=", "j"}), ElementsAre("jsonl"));
  EXPECT_THAT(WordsAfter({"data", "import", "x", "y", "--format", "="}), ElementsAre("tsv", "csv", "jsonl"));
  EXPECT_THAT(WordsAfter({"data", "import", "ss"}), ElementsAre("sst"));
  EXPECT_THAT(WordsAfter({"completion", ""}), IsSupersetOf(reference::CompletionShells()));
}

TEST(CandidatesTest, PathsAreLeftToTheShell) {
  EXPECT_EQ(PathsAfter({"run", ""}), Candidates::Paths::kFiles);
  EXPECT_EQ(PathsAfter({"run", "a.yaml", ""}), Candidates::Paths::kNone);
  EXPECT_EQ(PathsAfter({"run", "--slots", ""}), Candidates::Paths::kNone);
  EXPECT_EQ(PathsAfter({"run", "--slots", "2", ""}), Candidates::Paths::kFiles);
  EXPECT_EQ(PathsAfter({"list", "--access", ""}), Candidates::Paths::kFiles);
  EXPECT_EQ(PathsAfter({"list", "--state", ""}), Candidates::Paths::kFolders);
  EXPECT_EQ(PathsAfter({"data", "import", "reviews", ""}), Candidates::Paths::kFiles);
  EXPECT_EQ(PathsAfter({""}), Candidates::Paths::kNone);
}

// An empty word and words that look like options reach the program as they are.
TEST(CandidatesTest, TheProgramAnswersTheScripts) {
  const RoarOutcome commands = RunRoar({"completion", "words", "--", "data", ""});
  EXPECT_EQ(commands.exit_code, 0) << commands.errors;
  EXPECT_THAT(commands.output, testing::StartsWith("words\nimport\tImport a data set\n"));
  EXPECT_THAT(RunRoar({"completion", "words", "--", "run", "--sl"}).output, testing::HasSubstr("\n--slots\t"));
  EXPECT_THAT(RunRoar({"completion", "words", "--", "run", ""}).output, "files\n");
  EXPECT_THAT(RunRoar({"completion", "words", "--", ""}).output, testing::HasSubstr("\nrun\t"));
  EXPECT_THAT(RunRoar({"completion", "words", "--", "--help"}).output, testing::StartsWith("words\n--help\t"));
}

TEST(CompletionTest, AnUnknownShellIsTold) {
  const RoarOutcome outcome = RunRoar({"completion", "bsh"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("did you mean bash?"));
}

// A shell that has the script, in a folder with two files and a folder.
class ShellTest : public testing::Test {
 protected:
  ShellTest() {
    std::ofstream(folder_.path() / "one.yaml") << "name: one\n";
    std::ofstream(folder_.path() / "with blank.yaml") << "name: two\n";
    std::filesystem::create_directory(folder_.path() / "states");
  }

  // What `program` prints, line by line, sorted, when it runs `script`.
  std::vector<std::string> LinesOf(const std::string& program, const std::string& script) {
    const std::string path = folder_.path() / ".script";
    std::ofstream(path) << script;
    const ShellOutcome outcome = RunShell(absl::StrCat("cd '", folder_.path().string(), "' && PATH='", ROAR_BINARY_DIR,
                                                       "':\"$PATH\" ", program, " ", path, " 2>&1"));
    EXPECT_EQ(outcome.exit_status, 0) << outcome.output;
    std::vector<std::string> lines = absl::StrSplit(outcome.output, '\n', absl::SkipEmpty());
    return lines;
  }

  // What bash has in COMPREPLY when Tab is pressed after these words.
  std::vector<std::string> InBash(const std::vector<std::string>& words) {
    return LinesOf(
        "bash --norc --noprofile",
        absl::StrCat("source <(roar completion bash)\n", "[[ $(complete -p roar) == 'complete -F _roar roar' ]]",
                     " || echo not registered\n", "COMP_WORDS=(roar '", absl::StrJoin(words, "' '"),
                     "')\nCOMP_CWORD=", words.size(), "\n_roar\n", "printf '%s\\n' \"${COMPREPLY[@]}\"\n"));
  }

  const TemporaryFolder folder_;
};

TEST_F(ShellTest, BashCompletesCommandsOptionsValuesAndPaths) {
  if (!HasProgram("bash")) GTEST_SKIP() << "bash is not installed";
  EXPECT_THAT(InBash({"ra"}), ElementsAre("racu"));
  EXPECT_THAT(InBash({"data", ""}), IsSupersetOf({"import", "list", "show"}));
  EXPECT_THAT(InBash({"run", "--sl"}), ElementsAre("--slots"));
  EXPECT_THAT(InBash({"data", "import", "x", "y", "--format", "=", "j"}), ElementsAre("jsonl"));
  EXPECT_THAT(InBash({"run", ""}), IsSupersetOf({"one.yaml", "with blank.yaml", "states"}));
  EXPECT_THAT(InBash({"run", "w"}), ElementsAre("with blank.yaml"));
  EXPECT_THAT(InBash({"list", "--state", ""}), ElementsAre("states"));
  EXPECT_THAT(InBash({"run", "one.yaml", ""}), IsEmpty());
}

// Its widgets run only within a completion of the line editor; here they print what they are given.
TEST_F(ShellTest, ZshCompletesCommandsOptionsValuesAndPaths) {
  if (!HasProgram("zsh")) GTEST_SKIP() << "zsh is not installed";
  const auto in_zsh = [&](const std::vector<std::string>& words) {
    return LinesOf("zsh -f",
                   absl::StrCat("compdef() { [[ \"$*\" == '_roar roar' ]] || print wrong; }\n",
                                "_describe() { print -l -- \"${(@P)2}\"; }\n", "_files() { print -- files $1; }\n",
                                "source <(roar completion zsh)\n", "words=(roar '", absl::StrJoin(words, "' '"),
                                "')\nCURRENT=$#words\n_roar\n", "true\n"));
  };
  EXPECT_THAT(in_zsh({"ra"}), ElementsAre("racu:Print the faithfulness of a sweep's measures"));
  EXPECT_THAT(in_zsh({"data", ""}), Contains("import:Import a data set"));
  EXPECT_THAT(in_zsh({"data", "import", "x", "y", "--format", ""}), ElementsAre("tsv:", "csv:", "jsonl:"));
  EXPECT_THAT(in_zsh({"run", ""}), ElementsAre("files"));
  EXPECT_THAT(in_zsh({"list", "--state", ""}), ElementsAre("files -/"));
}

TEST_F(ShellTest, FishCompletesCommandsOptionsValuesAndPaths) {
  if (!HasProgram("fish")) GTEST_SKIP() << "fish is not installed";
  const auto in_fish = [&](const std::string& line) {
    return LinesOf("env -u XDG_STATE_HOME HOME= fish --no-config",
                   absl::StrCat("roar completion fish | source\ncomplete -C '", line, "'\n"));
  };
  EXPECT_THAT(in_fish("roar ra"), ElementsAre("racu\tPrint the faithfulness of a sweep's measures"));
  EXPECT_THAT(in_fish("roar data "), Contains("import\tImport a data set"));
  EXPECT_THAT(in_fish("roar run --sl"), Contains(testing::StartsWith("--slots\t")));
  EXPECT_THAT(in_fish("roar data import x y --format "), UnorderedElementsAre("tsv", "csv", "jsonl"));
  EXPECT_THAT(in_fish("roar run o"), Contains(testing::StartsWith("one.yaml")));
  EXPECT_THAT(in_fish("roar list --state s"), Contains(testing::StartsWith("states/")));
}

}  // namespace
}  // namespace roar
