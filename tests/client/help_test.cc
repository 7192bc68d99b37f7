// The table of commands is what every help, man page, reference and completion is made from. These are the rules for
// its rows; a command that is added is held to them as soon as it is in the table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/command_line.h"
#include "client/commands/command.h"
#include "client/reference/command_page.h"
#include "client/reference/help.h"
#include "client/reference/program_text.h"
#include "client/reference/wrap.h"
#include "tests/support/run_roar.h"

namespace roar {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> WordsOfLine(const std::string& line) { return absl::StrSplit(line, ' ', absl::SkipEmpty()); }

// Each `roar ...` of a shell line, without what the shell does with it.
std::vector<std::vector<std::string>> RoarCommandsIn(const std::string& line) {
  std::vector<std::vector<std::string>> commands;
  const std::vector<std::string> parts = absl::StrSplit(line, " && ");
  for (const std::string& part : parts) {
    const std::string alone = part.substr(0, std::min(part.find(" | "), part.find(" > ")));
    std::vector<std::string> words = WordsOfLine(alone);
    if (!words.empty() && words[0] == "roar") commands.push_back(std::move(words));
  }
  return commands;
}

absl::Status Parse(const std::vector<std::string>& words) {
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data()).status();
}

void ExpectFitsATerminal(const std::string& help) {
  const std::vector<std::string> lines = absl::StrSplit(help, '\n');
  for (const std::string& line : lines) {
    EXPECT_LE(line.size(), reference::kHelpColumns) << line;
    EXPECT_TRUE(std::ranges::all_of(line, absl::ascii_isprint)) << line;
    EXPECT_THAT(line, Not(testing::EndsWith(" ")));
  }
}

TEST(HelpTest, EveryCommandSaysWhatItDoesAndTeachesByExamples) {
  std::set<std::string> names;
  for (const Command& command : Commands()) {
    const std::string words = WordsOf(command);
    SCOPED_TRACE(words);
    EXPECT_TRUE(names.insert(words).second);
    EXPECT_THAT(command.details, Not(HasSubstr("Examples:"))) << "they go into .examples";
    EXPECT_GE(command.details.size(), 40u) << "say in a sentence or two what it does";
    EXPECT_LE(command.summary.size(), 60u);
    EXPECT_THAT(command.summary, Not(testing::EndsWith(".")));
    EXPECT_THAT(command.examples, Not(IsEmpty()));
    EXPECT_THAT(command.related, Not(IsEmpty()));
    const RoarOutcome help = RunRoar(WordsOfLine(absl::StrCat(words, " --help")));
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.output, reference::CommandHelp(command));
    EXPECT_THAT(help.output, HasSubstr(command.summary));
    EXPECT_THAT(help.output, HasSubstr("\nExamples:\n  "));
    ExpectFitsATerminal(help.output);
  }
}

TEST(HelpTest, EveryExampleIsACommandLineThatParses) {
  for (const Command& command : Commands()) {
    bool shows_itself = false;
    for (const Example& example : command.examples) {
      for (const std::vector<std::string>& words : RoarCommandsIn(example.line)) {
        EXPECT_TRUE(Parse(words).ok()) << example.line << ": " << Parse(words);
        shows_itself |= absl::StrJoin(words, " ").starts_with(absl::StrCat("roar ", WordsOf(command)));
        for (const std::string& word : words) {
          if (!word.starts_with("examples/")) continue;
          EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(ROAR_SOURCE_DIR) / word)) << word;
        }
      }
    }
    EXPECT_TRUE(shows_itself) << WordsOf(command);
  }
}

TEST(HelpTest, RelatedCommandsExist) {
  std::set<std::string> names;
  for (const Command& command : Commands()) names.insert(WordsOf(command));
  for (const Command& command : Commands()) {
    for (const std::string& related : command.related) {
      EXPECT_TRUE(names.contains(related)) << WordsOf(command) << " names " << related;
      EXPECT_NE(related, WordsOf(command));
    }
  }
}

TEST(HelpTest, EveryParameterSaysWhatItIsAndWhatItsValueIs) {
  static const std::set<std::string> kSayNothing = {"TEXT", "INT", "UINT", "FLOAT", "BOOLEAN"};
  for (const Command& command : Commands()) {
    for (const reference::Parameter& parameter : reference::ParametersOf(command)) {
      SCOPED_TRACE(absl::StrCat(WordsOf(command), " ", parameter.name));
      EXPECT_THAT(parameter.description, Not(IsEmpty()));
      EXPECT_FALSE(kSayNothing.contains(parameter.value)) << "give it a ->type_name()";
    }
  }
}

TEST(HelpTest, TheProgramsHelpListsEveryCommandOnceAndFits) {
  const std::string help = reference::ProgramHelp();
  EXPECT_EQ(RunRoar({"--help"}).output, help);
  ExpectFitsATerminal(help);
  for (const Command& command : Commands()) {
    const std::string line_start = absl::StrCat("\n  ", WordsOf(command), " ");
    std::size_t times = 0;
    for (std::size_t at = help.find(line_start); at != std::string::npos; at = help.find(line_start, at + 1)) ++times;
    // FirstSteps shows commands with "roar" before them.
    EXPECT_EQ(times, 1u) << WordsOf(command);
  }
}

TEST(HelpTest, AGroupsHelpListsItsCommands) {
  for (const CommandGroup& group : CommandGroups()) {
    const RoarOutcome help = RunRoar({group.name, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    ExpectFitsATerminal(help.output);
    EXPECT_THAT(help.output, HasSubstr(group.summary));
    bool has_commands = false;
    for (const Command& command : Commands()) {
      if (command.group != group.name) continue;
      has_commands = true;
      EXPECT_THAT(help.output, HasSubstr(absl::StrCat("\n  ", command.name, " ")));
    }
    EXPECT_TRUE(has_commands) << group.name;
  }
}

TEST(HelpTest, EveryExitCodeOfACommandIsOneOfTheProgram) {
  std::set<ExitCode> known;
  for (const ExitMeaning& exit : reference::ExitMeanings()) EXPECT_TRUE(known.insert(exit.code).second);
  for (const Command& command : Commands()) {
    for (const ExitMeaning& exit : command.exit_codes) EXPECT_TRUE(known.contains(exit.code)) << WordsOf(command);
  }
}

TEST(WrapTest, BreaksAtBlanksAndIndents) {
  const std::string text = reference::Wrap(std::string(50, 'a') + " " + std::string(30, 'b') + " c", {2, 4});
  EXPECT_EQ(text, "  " + std::string(50, 'a') + "\n    " + std::string(30, 'b') + " c\n");
  // Exactly a line.
  EXPECT_EQ(reference::Wrap(std::string(39, 'a') + " " + std::string(40, 'b')),
            std::string(39, 'a') + " " + std::string(40, 'b') + "\n");
  EXPECT_EQ(reference::Wrap(std::string(100, 'a') + " b"), std::string(100, 'a') + "\nb\n");
}

TEST(HelpTest, ChoicesAreShownOnce) {
  const reference::Parameter shell{.name = "SHELL", .value = "bash|zsh", .description = "Shell", .is_argument = true};
  EXPECT_EQ(reference::MeaningOf(shell), "Shell: bash, zsh");
  const reference::Parameter format{.name = "--format", .value = "csv|json", .description = "Form"};
  EXPECT_EQ(absl::StrCat(reference::NameWithValue(format), " ", reference::MeaningOf(format)),
            "--format csv|json Form");
  // What is only proposed.
  const reference::Parameter name{.name = "NAME", .value = "sst|NAME", .description = "Name", .is_argument = true};
  EXPECT_EQ(reference::MeaningOf(name), "Name");
  EXPECT_THAT(name.Choices(), testing::ElementsAre("sst"));
}

TEST(HelpTest, AnOptionWithAListOfValuesRefusesOthers) {
  CLI::App app;
  std::string format;
  OneOf(app.add_option("--format", format), {"csv", "json"});
  app.parse("--format json");
  EXPECT_EQ(format, "json");
  try {
    app.parse("--format jsn");
    FAIL() << format;
  } catch (const CLI::ValidationError& error) {
    EXPECT_STREQ(error.what(), "--format: \"jsn\" is none of csv, json; did you mean json?");
  }
}

TEST(WrapTest, ALongTermStandsOnALineOfItsOwn) {
  const std::string long_term(30, 't');
  EXPECT_EQ(reference::DefinitionList({{"a", "first"}, {long_term, "second"}}),
            "  a  first\n  " + long_term + "\n     second\n");
}

}  // namespace
}  // namespace roar
