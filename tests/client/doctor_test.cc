#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/doctor/finding.h"
#include "client/doctor/machine.h"
#include "client/doctor/setup.h"
#include "client/state_folder.h"
#include "tests/support/run_roar.h"
#include "tests/support/temporary_folder.h"

namespace roar::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const MachineFacts kGoodMachine = {.cores = 8,
                                   .instruction_set = "avx2",
                                   .available_memory_bytes = 16'000'000'000,
                                   .open_files_most = 4096,
                                   .now_unix_seconds = 1'796'000'000,
                                   .is_clock_synchronized = true,
                                   .gnuplot = "/usr/bin/gnuplot"};

TEST(JudgeMachineTest, AGoodMachineHasNothingToRemedy) {
  for (const Finding& finding : JudgeMachine(kGoodMachine)) {
    EXPECT_EQ(finding.verdict, Verdict::kOk) << finding.subject;
    EXPECT_EQ(finding.remedy, "") << finding.subject;
  }
}

TEST(JudgeMachineTest, EachLackIsTheOneFindingAndHasARemedy) {
  struct Case {
    std::string subject;
    Verdict verdict;
    std::string remedy;
    std::function<void(MachineFacts&)> spoil;
  };
  const std::vector<Case> cases = {
      {"cores", Verdict::kWarning, "--slots 2", [](MachineFacts& facts) { facts.core_quota = 2.5; }},
      {"cores", Verdict::kWarning, "--slots 1", [](MachineFacts& facts) { facts.core_quota = 0.5; }},
      {"instructions", Verdict::kWarning, "AVX2", [](MachineFacts& facts) { facts.instruction_set.clear(); }},
      {"memory", Verdict::kWarning, "--slots 3",
       [](MachineFacts& facts) { facts.available_memory_bytes = 1'999'999'999; }},
      {"memory", Verdict::kProblem, "free", [](MachineFacts& facts) { facts.available_memory_bytes = 499'999'999; }},
      {"open files", Verdict::kWarning, "ulimit -n", [](MachineFacts& facts) { facts.open_files_most = 256; }},
      {"clock", Verdict::kProblem, "set the clock", [](MachineFacts& facts) { facts.now_unix_seconds = 3600; }},
      {"clock", Verdict::kWarning, "timedatectl", [](MachineFacts& facts) { facts.is_clock_synchronized = false; }},
      {"gnuplot", Verdict::kWarning, "apt install", [](MachineFacts& facts) { facts.gnuplot.clear(); }}};
  for (const Case& one : cases) {
    MachineFacts facts = kGoodMachine;
    one.spoil(facts);
    for (const Finding& finding : JudgeMachine(facts)) {
      if (finding.subject != one.subject) {
        EXPECT_EQ(finding.verdict, Verdict::kOk) << finding.subject;
        continue;
      }
      EXPECT_EQ(finding.verdict, one.verdict) << finding.subject;
      EXPECT_THAT(finding.remedy, HasSubstr(one.remedy));
    }
  }
}

TEST(JudgeMachineTest, AQuotaAboveTheCoresTakesNothing) {
  MachineFacts facts = kGoodMachine;
  facts.core_quota = 64;
  EXPECT_EQ(WorstOf(JudgeMachine(facts)), Verdict::kOk);
}

TEST(MachineFactsTest, QuotaAndMemoryAreReadAsTheSystemWritesThem) {
  EXPECT_EQ(CoreQuotaFrom("150000 100000\n"), 1.5);
  EXPECT_EQ(CoreQuotaFrom("max 100000\n"), std::nullopt);
  EXPECT_EQ(CoreQuotaFrom(""), std::nullopt);
  EXPECT_EQ(CoreQuotaFrom("1 0"), std::nullopt);
  EXPECT_EQ(AvailableMemoryFrom("MemTotal:       32 kB\nMemAvailable:       16 kB\n"), 16 * 1024);
  EXPECT_EQ(AvailableMemoryFrom("MemTotal: 32 kB\n"), 0);
}

TEST(MachineFactsTest, AreOfAMachineThatRunsThisTest) {
  const MachineFacts facts = MeasureMachine();
  EXPECT_GE(facts.cores, 1);
  EXPECT_GT(facts.available_memory_bytes, 0);
  EXPECT_GT(facts.open_files_most, 0);
  EXPECT_GT(facts.now_unix_seconds, 1'700'000'000);
}

TEST(JudgeFreeDiskTest, LittleIsAWarningAndNothingAProblem) {
  EXPECT_EQ(JudgeFreeDisk(50'000'000'000, "/x").verdict, Verdict::kOk);
  EXPECT_EQ(JudgeFreeDisk(1'000'000'000, "/x").verdict, Verdict::kWarning);
  EXPECT_EQ(JudgeFreeDisk(0, "/x").verdict, Verdict::kProblem);
}

TEST(FindingTest, AnErrorsMessageIsDividedIntoWhatIsAndWhatToDo) {
  const Finding finding = ProblemOf("coordinator", absl::UnavailableError("it is away (a; b); start it"));
  EXPECT_EQ(finding.detail, "it is away (a; b)");
  EXPECT_EQ(finding.remedy, "start it");
  EXPECT_EQ(ProblemOf("coordinator", absl::UnavailableError("it is away")).remedy, "");
}

TEST(FindingTest, TheReportCountsAndTheJsonNamesTheWorst) {
  const std::vector<Finding> findings = {{"cores", Verdict::kOk, "8"},
                                         {"clock", Verdict::kWarning, "unsynchronized", "see timedatectl"}};
  EXPECT_EQ(FindingsReport(findings),
            "CHECK  VERDICT  WHAT WAS FOUND\n"
            "cores  ok       8\n"
            "clock  warning  unsynchronized\n"
            "                -> see timedatectl\n"
            "\n1 ok, 1 warning, 0 problems\n");
  EXPECT_EQ(FindingsJson(findings).at("verdict"), "warning");
  EXPECT_EQ(FindingsJson(findings).at("checks").at(0).at("remedy"), output::Json());
}

class ProgramsTest : public testing::Test {
 protected:
  // A program that does `script`.
  void Install(const std::string& name, const std::string& script) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    chmod(path.c_str(), 0755);
  }

  const TemporaryFolder folder_;
};

TEST_F(ProgramsTest, OnesThatLackDoNotStartOrAreOfAnotherVersionAreProblems) {
  Install("roard", "echo 0.0.0-other");
  Install("roar-worker", "echo libtorch.so: cannot open; exit 127");
  const std::vector<Finding> findings = CheckPrograms(folder_.path());
  ASSERT_EQ(findings.size(), 3u);
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.verdict, Verdict::kProblem) << finding.detail;
    EXPECT_THAT(finding.remedy, Not(IsEmpty()));
  }
  EXPECT_THAT(findings[0].detail, HasSubstr("version 0.0.0-other"));
  EXPECT_THAT(findings[1].detail, HasSubstr("does not start: libtorch.so: cannot open"));
  EXPECT_THAT(findings[2].detail, HasSubstr("is not there"));
}

TEST_F(ProgramsTest, AFolderWithBlankAndQuoteInItsNameIsNoTrouble) {
  const std::filesystem::path folder = folder_.path() / "it's mine";
  std::filesystem::create_directory(folder);
  Install("it's mine/roard", "echo 1.2.3");
  EXPECT_THAT(CheckPrograms(folder)[0].detail, HasSubstr("version 1.2.3"));
}

TEST(SetupTest, AFolderThatIsNotThereYetIsNoProblemAndIsNotMade) {
  const TemporaryFolder folder;
  const auto state = folder.path() / "a" / "b";
  EXPECT_EQ(WorstOf({CheckSetup({.state_folder = state})[0]}), Verdict::kOk);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a"));
}

TEST(SetupTest, AFileInPlaceOfTheFolderIsAProblem) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  for (const auto& state : {folder.path() / "file", folder.path() / "file" / "below"}) {
    const std::vector<Finding> findings = CheckSetup({.state_folder = state});
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].verdict, Verdict::kProblem);
    EXPECT_THAT(findings[0].detail, HasSubstr("is no folder"));
  }
}

TEST(SetupTest, NoFolderAtAllIsAProblem) {
  EXPECT_THAT(CheckSetup({})[0].detail, HasSubstr("neither XDG_STATE_HOME nor HOME is set"));
}

TEST(SetupTest, AnAccessFileThatLacksOrIsOpenToOthersIsAProblem) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "access.json";
  EXPECT_THAT(CheckSetup({.access_file = file})[0].detail, HasSubstr("is not there"));
  std::ofstream(file) << "{}";
  chmod(file.c_str(), 0644);
  const Finding open = CheckSetup({.access_file = file})[0];
  EXPECT_EQ(open.verdict, Verdict::kProblem);
  EXPECT_EQ(open.remedy, absl::StrCat("chmod 600 ", file.string()));
}

TEST(DoctorTest, AProblemIsExitCode9) {
  const TemporaryFolder folder;
  const RoarOutcome outcome = RunRoar({"doctor", "--access", (folder.path() / "none.json").string()});
  EXPECT_EQ(outcome.exit_code, 9);
  EXPECT_THAT(outcome.output, HasSubstr("none.json is not there"));
}

}  // namespace
}  // namespace roar::doctor
