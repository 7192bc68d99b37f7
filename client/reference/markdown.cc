#include "client/reference/markdown.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/reference/command_page.h"
#include "client/reference/program_text.h"

namespace roar::reference {
namespace {

// Text that Markdown shows as it is.
std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"\\", "\\\\"}, {"*", "\\*"}, {"_", "\\_"}, {"<", "&lt;"}, {"[", "\\["}, {"|", "\\|"}});
}

std::string Code(const std::string& text) { return absl::StrCat("`", text, "`"); }

// In a table, where | ends a cell even within code.
std::string CodeCell(const std::string& text) { return Code(absl::StrReplaceAll(text, {{"|", "\\|"}})); }

std::string HeadingOf(const Command& command) { return absl::StrCat("roar ", WordsOf(command)); }

std::string LinkTo(const Command& command) {
  return absl::StrCat("[`", HeadingOf(command), "`](#", absl::StrReplaceAll(HeadingOf(command), {{" ", "-"}}), ")");
}

std::string ParameterTable(const std::string& title, const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return "";
  std::string text = absl::StrCat("\n| ", title, " | |\n|---|---|\n");
  for (const Parameter& parameter : parameters) {
    absl::StrAppend(&text, "| ", CodeCell(NameWithValue(parameter)), " | ", Escaped(MeaningOf(parameter)), " |\n");
  }
  return text;
}

std::string ExitCodeTable(const std::vector<ExitMeaning>& meanings) {
  if (meanings.empty()) return "";
  std::string text = "\n| exit code | |\n|---|---|\n";
  for (const ExitMeaning& exit : meanings) {
    absl::StrAppend(&text, "| ", static_cast<int>(exit.code), " | ", Escaped(exit.meaning), " |\n");
  }
  return text;
}

std::string ExampleBlock(const std::vector<Example>& examples) {
  std::size_t longest = 0;
  for (const Example& example : examples) longest = std::max(longest, example.line.size());
  std::string text = "\n```sh\n";
  for (const Example& example : examples) {
    absl::StrAppend(&text, example.line);
    if (!example.purpose.empty()) {
      absl::StrAppend(&text, std::string(longest - example.line.size() + 2, ' '), "# ", example.purpose);
    }
    absl::StrAppend(&text, "\n");
  }
  return absl::StrCat(text, "```\n");
}

std::string Details(const Command& command) {
  std::string text;
  bool was_item = false;
  for (const Paragraph& paragraph : ParagraphsOf(command)) {
    absl::StrAppend(&text, paragraph.is_item && was_item ? "" : "\n", paragraph.is_item ? "- " : "",
                    Escaped(paragraph.text), "\n");
    was_item = paragraph.is_item;
  }
  return text;
}

std::string JsonLine(const Command& command) {
  if (command.schemas.empty()) return "";
  const auto link = [](std::string* out, const std::string& name) {
    absl::StrAppend(out, "[", name, "](schemas/", name, ".json)");
  };
  return absl::StrCat("\n`--json`: ", absl::StrJoin(command.schemas, " or ", link), "\n");
}

std::string SeeAlso(const Command& command) {
  std::vector<std::string> links;
  for (const std::string& related : command.related) {
    for (const Command& other : Commands()) {
      if (WordsOf(other) == related) links.push_back(LinkTo(other));
    }
  }
  return links.empty() ? "" : absl::StrCat("\nSee also ", absl::StrJoin(links, ", "), "\n");
}

std::string CommandSection(const Command& command) {
  std::vector<Parameter> arguments = ParametersOf(command);
  const auto first_option = std::ranges::find(arguments, false, &Parameter::is_argument);
  const std::vector<Parameter> options(first_option, arguments.end());
  arguments.erase(first_option, arguments.end());
  return absl::StrCat("\n## ", HeadingOf(command), "\n", Escaped(command.summary), ".\n\n    ", UsageOf(command), "\n",
                      Details(command), ParameterTable("argument", arguments), ParameterTable("option", options),
                      ExampleBlock(command.examples), ExitCodeTable(command.exit_codes), JsonLine(command),
                      SeeAlso(command));
}

std::string Overview() {
  std::string text;
  for (const TopicHeading& heading : TopicHeadings()) {
    absl::StrAppend(&text, "\n| ", heading.title, " | |\n|---|---|\n");
    for (const Command& command : Commands()) {
      if (command.topic != heading.topic) continue;
      absl::StrAppend(&text, "| ", LinkTo(command), " | ", Escaped(command.summary), " |\n");
    }
  }
  return text;
}

}  // namespace

std::string CommandReference() {
  std::string text = absl::StrCat(
      "# Command reference\n\n<!-- Made by `roar reference commands`; to change it, change the commands. -->\n\n",
      Escaped(kProgramDescription),
      "\n\nHow commands find their coordinator, and what they have in common: [the command line](command-line.md). "
      "What their JSON means: [schemas](schemas/README.md). What a sweep file says: [the sweep "
      "file](sweep-file.md).\n",
      ExampleBlock(FirstSteps()), Overview(), "\n## Options of every command\n",
      ParameterTable("option", GlobalParameters()), "\n## Exit codes\n");
  const auto meanings = ExitMeanings();
  absl::StrAppend(&text, ExitCodeTable({meanings.begin(), meanings.end()}));
  for (const TopicHeading& heading : TopicHeadings()) {
    for (const Command& command : Commands()) {
      if (command.topic == heading.topic) absl::StrAppend(&text, CommandSection(command));
    }
  }
  return text;
}

}  // namespace roar::reference
