#include "client/reference/command_page.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/global_options.h"

namespace roar::reference {
namespace {

// CLI11 appends the descriptions of its checks to the name of the type, after a colon.
std::string ValueOf(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string type = option.get_type_name();
  const std::string value = type.substr(0, type.find(':'));
  const bool is_named = value != "TEXT" && !value.empty();
  return is_named || !option.get_positional() ? value : option.get_name(true);
}

Parameter Describe(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const std::string& name : option.get_snames()) spellings.push_back(absl::StrCat("-", name));
  for (const std::string& name : option.get_lnames()) spellings.push_back(absl::StrCat("--", name));
  return {.name = option.get_positional() ? option.get_name(true) : absl::StrJoin(spellings, ", "),
          .value = ValueOf(option),
          .description = option.get_description(),
          .default_text = option.get_default_str(),
          .is_argument = option.get_positional(),
          .is_required = option.get_required(),
          .may_repeat = option.get_type_size() != 0 && option.get_expected_max() > 1};
}

bool IsLowerCase(const std::string& word) { return std::ranges::none_of(word, absl::ascii_isupper); }

}  // namespace

std::vector<std::string> Parameter::Spellings() const {
  if (is_argument) return {};
  return absl::StrSplit(name, ", ");
}

std::vector<std::string> Parameter::Choices() const {
  std::vector<std::string> choices;
  const std::vector<std::string> words = absl::StrSplit(value, '|', absl::SkipEmpty());
  std::ranges::copy_if(words, std::back_inserter(choices), IsLowerCase);
  return choices;
}

std::vector<Parameter> ParametersOf(const CLI::App& app) {
  std::vector<Parameter> parameters;
  for (const CLI::Option* option : app.get_options()) {
    if (option != app.get_help_ptr()) parameters.push_back(Describe(*option));
  }
  std::ranges::stable_partition(parameters, &Parameter::is_argument);
  return parameters;
}

std::vector<Parameter> ParametersOf(const Command& command) {
  CLI::App app;
  command.define(app);
  return ParametersOf(app);
}

std::vector<Parameter> GlobalParameters() {
  CLI::App app;
  GlobalOptions options;
  AddGlobalOptions(app, options);
  return ParametersOf(app);
}

std::string UsageOf(const Command& command) {
  std::string usage = absl::StrCat("roar ", WordsOf(command));
  bool has_more_options = false;
  for (const Parameter& parameter : ParametersOf(command)) {
    if (!parameter.is_argument && !parameter.is_required) {
      has_more_options = true;
      continue;
    }
    const std::string words = absl::StrCat(parameter.is_argument ? parameter.name : NameWithValue(parameter),
                                           parameter.may_repeat ? "..." : "");
    absl::StrAppend(&usage, parameter.is_required ? absl::StrCat(" ", words) : absl::StrCat(" [", words, "]"));
  }
  return has_more_options ? absl::StrCat(usage, " [OPTIONS]") : usage;
}

std::string NameWithValue(const Parameter& parameter) {
  if (parameter.is_argument || parameter.value.empty()) return parameter.name;
  return absl::StrCat(parameter.name, " ", parameter.value);
}

std::string MeaningOf(const Parameter& parameter) {
  const std::string choices = absl::StrJoin(parameter.Choices(), "|");
  const bool are_all = !choices.empty() && choices == parameter.value;
  return absl::StrCat(
      parameter.description,
      parameter.is_argument && are_all ? absl::StrCat(": ", absl::StrJoin(parameter.Choices(), ", ")) : "",
      parameter.default_text.empty() ? "" : absl::StrCat(" [", parameter.default_text, "]"));
}

std::vector<Paragraph> ParagraphsOf(const Command& command) {
  std::vector<Paragraph> paragraphs;
  const std::vector<std::string> lines = absl::StrSplit(command.details, '\n', absl::SkipEmpty());
  for (const std::string& line : lines) {
    const bool is_item = line.starts_with("  ");
    paragraphs.push_back({is_item ? line.substr(2) : line, is_item});
  }
  return paragraphs;
}

}  // namespace roar::reference
