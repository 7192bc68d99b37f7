#include "client/reference/man.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/reference/command_page.h"
#include "client/reference/program_text.h"
#include "client/reference/sweep_file_reference.h"

namespace roar::reference {
namespace {

constexpr char kSweepFilePage[] = "roar-sweep-file";

// Text that roff prints as it is, also at the begin of a line. A hyphen of an option must stay one when it is copied.
std::string Escaped(const std::string& text) {
  const std::string escaped =
      absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}, {"~", "\\(ti"}, {"^", "\\(ha"}, {"'", "\\(aq"}});
  return escaped.starts_with(".") ? absl::StrCat("\\&", escaped) : escaped;
}

std::string PageName(const std::string& words) {
  return words.empty() ? "roar" : absl::StrCat("roar-", absl::StrReplaceAll(words, {{" ", "-"}}));
}

// Words are not divided: most that are long are names to type.
std::string Heading(const std::string& page_name, int section = 1) {
  return absl::StrCat(".TH ", Escaped(absl::AsciiStrToUpper(page_name)), " ", section, " \"\" \"roar ", ROAR_VERSION,
                      "\" \"Roar\"\n.nh\n.ad l\n");
}

std::string Section(const std::string& title) { return absl::StrCat(".SH ", title, "\n"); }

std::string Definition(const std::string& term, const std::string& meaning) {
  return absl::StrCat(".TP\n\\fB", Escaped(term), "\\fR\n", Escaped(meaning), "\n");
}

std::string Parameters(const std::string& title, const std::vector<Parameter>& parameters, bool are_arguments) {
  std::string text;
  for (const Parameter& parameter : parameters) {
    if (parameter.is_argument == are_arguments) {
      absl::StrAppend(&text, Definition(NameWithValue(parameter), MeaningOf(parameter)));
    }
  }
  return text.empty() ? "" : absl::StrCat(Section(title), text);
}

template <typename Meanings>
std::string ExitStatus(const Meanings& meanings) {
  std::string text;
  for (const ExitMeaning& exit : meanings) {
    absl::StrAppend(&text, Definition(absl::StrCat(static_cast<int>(exit.code)), exit.meaning));
  }
  return text;
}

std::string Examples(const std::vector<Example>& examples) {
  std::string text = Section("EXAMPLES");
  for (const Example& example : examples) {
    const std::string line = absl::StrCat(".nf\n", Escaped(example.line), "\n.fi\n");
    absl::StrAppend(&text, example.purpose.empty() ? "" : absl::StrCat(".PP\n", Escaped(example.purpose), ":\n"),
                    example.purpose.empty() ? ".PP\n" : "", ".RS 4\n", line, ".RE\n");
  }
  return text;
}

std::string Description(const Command& command) {
  std::string text = Section("DESCRIPTION");
  for (const Paragraph& paragraph : ParagraphsOf(command)) {
    absl::StrAppend(&text, paragraph.is_item ? ".IP \\(bu 2\n" : ".PP\n", Escaped(paragraph.text), "\n");
  }
  return text;
}

std::string References(const std::vector<std::string>& page_names) {
  const auto reference = [](std::string* out, const std::string& name) {
    absl::StrAppend(out, ".BR ", Escaped(name), name == kSweepFilePage ? " (5)" : " (1)");
  };
  return absl::StrCat(Section("SEE ALSO"), absl::StrJoin(page_names, " ,\n", reference), "\n");
}

ManPage PageOf(const Command& command) {
  const std::string name = PageName(WordsOf(command));
  const std::vector<Parameter> parameters = ParametersOf(command);
  std::vector<std::string> pages = {PageName("")};
  for (const std::string& related : command.related) pages.push_back(PageName(related));
  std::string text =
      absl::StrCat(Heading(name), Section("NAME"), Escaped(name), " \\- ", Escaped(command.summary), "\n",
                   Section("SYNOPSIS"), "\\fB", Escaped(UsageOf(command)), "\\fR\n", Description(command),
                   Parameters("ARGUMENTS", parameters, true), Parameters("OPTIONS", parameters, false));
  absl::StrAppend(&text, Examples(command.examples));
  if (!command.exit_codes.empty()) {
    absl::StrAppend(&text, Section("EXIT STATUS"), "Beside those of all commands, in\n.BR roar (1):\n",
                    ExitStatus(command.exit_codes));
  }
  return {absl::StrCat(name, ".1"), absl::StrCat(text, References(pages))};
}

ManPage ProgramPage() {
  std::string text =
      absl::StrCat(Heading("roar"), Section("NAME"), "roar \\- judge importance measures by masking and retraining\n",
                   Section("SYNOPSIS"), "\\fBroar\\fR COMMAND [ARGUMENTS] [OPTIONS]\n", Section("DESCRIPTION"),
                   Escaped(kProgramDescription), "\n", Section("COMMANDS"));
  for (const TopicHeading& heading : TopicHeadings()) {
    absl::StrAppend(&text, ".SS ", heading.title, "\n");
    for (const Command& command : Commands()) {
      if (command.topic == heading.topic) absl::StrAppend(&text, Definition(WordsOf(command), command.summary));
    }
  }
  absl::StrAppend(&text, Parameters("OPTIONS", GlobalParameters(), false), Examples(FirstSteps()),
                  Section("EXIT STATUS"), ExitStatus(ExitMeanings()));
  std::vector<std::string> pages = {kSweepFilePage};
  for (const Command& command : Commands()) pages.push_back(PageName(WordsOf(command)));
  return {"roar.1", absl::StrCat(text, References(pages))};
}

ManPage SweepFilePage() {
  std::string text = absl::StrCat(Heading(kSweepFilePage, 5), Section("NAME"), Escaped(kSweepFilePage),
                                  " \\- what a sweep asks, in YAML\n", Section("DESCRIPTION"),
                                  "A mapping of these keys. A key that is not here is refused, as is one that is there "
                                  "twice. A list of one may be written without brackets.\n",
                                  Section("KEYS"));
  for (const SweepSection& section : SweepSections()) {
    for (const SweepFileKey& key : section.keys) {
      const std::string meaning = absl::StrReplaceAll(key.meaning, {{"`", ""}});
      absl::StrAppend(&text,
                      Definition(absl::StrCat(section.prefix, key.name),
                                 absl::StrCat(meaning, ". Value: ", KindOf(key), ". Default: ", DefaultOf(key), ".")));
    }
  }
  const std::vector<Example> examples = {
      {"datasets: [babi-gen-1]\nmeasures: [attention, gradient]\nseeds: 5", "The published ratios, five seeds"}};
  return {absl::StrCat(kSweepFilePage, ".5"),
          absl::StrCat(text, Examples(examples), References({PageName(""), PageName("run"), PageName("submit")}))};
}

}  // namespace

std::vector<ManPage> ManPages() {
  std::vector<ManPage> pages = {ProgramPage(), SweepFilePage()};
  for (const Command& command : Commands()) pages.push_back(PageOf(command));
  return pages;
}

}  // namespace roar::reference
