#include "client/reference/help.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/reference/command_page.h"
#include "client/reference/program_text.h"
#include "client/reference/wrap.h"

namespace roar::reference {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

// Nothing when there are no rows.
std::string Section(const std::string& title, const Rows& rows, std::size_t least_term_columns = 0) {
  return rows.empty() ? "" : absl::StrCat("\n", title, ":\n", DefinitionList(rows, least_term_columns));
}

std::string ParameterSection(const std::string& title, const std::vector<Parameter>& parameters, bool are_arguments) {
  Rows rows;
  for (const Parameter& parameter : parameters) {
    if (parameter.is_argument == are_arguments) rows.push_back({NameWithValue(parameter), MeaningOf(parameter)});
  }
  return Section(title, rows);
}

std::string ExampleLines(const std::vector<Example>& examples) {
  std::string text;
  for (const Example& example : examples) {
    absl::StrAppend(&text, "  ", example.line, "\n");
    if (!example.purpose.empty()) absl::StrAppend(&text, Wrap(example.purpose, {6, 6}));
  }
  return text;
}

std::string DetailLines(const Command& command) {
  std::string text;
  for (const Paragraph& paragraph : ParagraphsOf(command)) {
    absl::StrAppend(&text, Wrap(paragraph.text, paragraph.is_item ? Indents{2, 4} : Indents{}));
  }
  return text;
}

std::string ExitCodeSection(const Command& command) {
  Rows rows;
  for (const ExitMeaning& exit : command.exit_codes) {
    rows.push_back({absl::StrCat(static_cast<int>(exit.code)), exit.meaning});
  }
  return Section("Exit codes, beside those of roar --help", rows);
}

std::string SeeAlso(const Command& command) {
  if (command.related.empty()) return "";
  const auto with_program = [](std::string* out, const std::string& words) { absl::StrAppend(out, "roar ", words); };
  return absl::StrCat("\n", Wrap(absl::StrCat("See also: ", absl::StrJoin(command.related, ", ", with_program))));
}

}  // namespace

std::string ProgramHelp() {
  std::size_t longest_words = 0;
  for (const Command& command : Commands()) longest_words = std::max(longest_words, WordsOf(command).size());
  std::string text = absl::StrCat(Wrap(kProgramDescription), "\nUsage: roar COMMAND [ARGUMENTS] [OPTIONS]\n");
  absl::StrAppend(&text, "\nStart here:\n", ExampleLines(FirstSteps()));
  for (const TopicHeading& heading : TopicHeadings()) {
    Rows rows;
    for (const Command& command : Commands()) {
      if (command.topic == heading.topic) rows.push_back({WordsOf(command), command.summary});
    }
    absl::StrAppend(&text, Section(heading.title, rows, longest_words));
  }
  absl::StrAppend(&text, ParameterSection("Options of every command", GlobalParameters(), /*are_arguments=*/false));
  absl::StrAppend(&text, Section("Without a command", {{"--version", "Print the version"}, {"--help", "Print this"}}));
  Rows exit_codes;
  for (const ExitMeaning& exit : ExitMeanings()) {
    exit_codes.push_back({absl::StrCat(static_cast<int>(exit.code)), exit.meaning});
  }
  return absl::StrCat(text, Section("Exit codes", exit_codes));
}

std::string GroupHelp(const CommandGroup& group) {
  Rows rows;
  for (const Command& command : Commands()) {
    if (command.group == group.name) rows.push_back({command.name, command.summary});
  }
  return absl::StrCat(group.summary, "\n\nUsage: roar ", group.name, " COMMAND [ARGUMENTS] [OPTIONS]\n",
                      Section("Commands", rows), "\n",
                      Wrap(absl::StrCat("roar ", group.name, " COMMAND --help says more of each.")));
}

std::string CommandHelp(const Command& command) {
  const std::vector<Parameter> parameters = ParametersOf(command);
  std::string text = absl::StrCat(command.summary, "\n\nUsage: ", UsageOf(command), "\n\n", DetailLines(command),
                                  ParameterSection("Arguments", parameters, /*are_arguments=*/true),
                                  ParameterSection("Options", parameters, /*are_arguments=*/false));
  if (!command.examples.empty()) absl::StrAppend(&text, "\nExamples:\n", ExampleLines(command.examples));
  std::string global;
  for (const Parameter& parameter : GlobalParameters()) {
    if (parameter.name == "--json" && command.schemas.empty()) continue;
    absl::StrAppend(&global, global.empty() ? "" : ", ", parameter.name);
  }
  return absl::StrCat(text, ExitCodeSection(command), SeeAlso(command), "\n",
                      Wrap(absl::StrCat("Options of every command (", global, "): see roar --help")));
}

}  // namespace roar::reference
