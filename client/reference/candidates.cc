#include "client/reference/candidates.h"

#include <algorithm>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/reference/command_page.h"

namespace roar::reference {
namespace {

// Reads a line word by word and knows what may come next.
class LineReader {
 public:
  LineReader() : options_(GlobalParameters()) {}

  void Read(const std::string& word) {
    if (waiting_) {
      // bash takes `--format=csv` for three words.
      if (word != "=") waiting_.reset();
    } else if (!only_arguments_ && word == "--") {
      only_arguments_ = true;
    } else if (!only_arguments_ && word.starts_with("-")) {
      ReadOption(word);
    } else if (command_ == nullptr) {
      ReadCommand(word);
    } else {
      ++arguments_read_;
    }
  }

  Candidates Next(const std::string& start) const {
    if (waiting_) return ValuesOf(*waiting_, start == "=" ? "" : start);
    if (!only_arguments_ && start.starts_with("-")) return OptionsNext(start);
    if (command_ == nullptr) return CommandsNext(start);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (i == arguments_read_ || (i < arguments_read_ && arguments_[i].may_repeat)) {
        return ValuesOf(arguments_[i], start);
      }
    }
    return {};
  }

 private:
  const Parameter* FindOption(const std::string& spelling) const {
    for (const Parameter& option : options_) {
      const std::vector<std::string> spellings = option.Spellings();
      if (std::ranges::count(spellings, spelling) > 0) return &option;
    }
    return nullptr;
  }

  void ReadOption(const std::string& word) {
    const Parameter* option = FindOption(word.substr(0, word.find('=')));
    if (option == nullptr) return;
    used_.insert(option->name);
    if (!option->value.empty() && word.find('=') == std::string::npos) waiting_ = *option;
  }

  void ReadCommand(const std::string& word) {
    for (const Command& command : Commands()) {
      if (command.group == group_ && command.name == word) {
        command_ = &command;
        for (const Parameter& parameter : ParametersOf(command)) {
          (parameter.is_argument ? arguments_ : options_).push_back(parameter);
        }
        return;
      }
    }
    if (group_.empty()) group_ = word;
  }

  Candidates CommandsNext(const std::string& start) const {
    Candidates candidates;
    const auto add = [&](const std::string& word, const std::string& description) {
      if (word.starts_with(start)) candidates.words.push_back({word, description});
    };
    for (const Command& command : Commands()) {
      if (command.group == group_) add(command.name, command.summary);
    }
    if (!group_.empty()) return candidates;
    for (const CommandGroup& group : CommandGroups()) add(group.name, group.summary);
    return candidates;
  }

  Candidates OptionsNext(const std::string& start) const {
    if (const std::size_t equals = start.find('='); equals != std::string::npos) {
      const Parameter* option = FindOption(start.substr(0, equals));
      if (option == nullptr) return {};
      Candidates candidates = ValuesOf(*option, start.substr(equals + 1));
      for (Candidate& candidate : candidates.words) candidate.word = start.substr(0, equals + 1) + candidate.word;
      return candidates;
    }
    Candidates candidates;
    for (const Parameter& option : options_) {
      if (used_.contains(option.name) && !option.may_repeat) continue;
      if (option.name == "--json" && command_ != nullptr && command_->schemas.empty()) continue;
      for (const std::string& spelling : option.Spellings()) {
        if (spelling.starts_with(start)) candidates.words.push_back({spelling, option.description});
      }
    }
    const std::string help = "--help";
    if (help.starts_with(start)) candidates.words.push_back({help, "Say what it does, with examples"});
    return candidates;
  }

  static Candidates ValuesOf(const Parameter& parameter, const std::string& start) {
    Candidates candidates;
    if (parameter.value == "FILE" || parameter.value == "PATH") candidates.paths = Candidates::Paths::kFiles;
    if (parameter.value == "DIR") candidates.paths = Candidates::Paths::kFolders;
    for (const std::string& choice : parameter.Choices()) {
      if (choice.starts_with(start)) candidates.words.push_back({choice, ""});
    }
    return candidates;
  }

  std::vector<Parameter> options_;
  std::vector<Parameter> arguments_;
  const Command* command_ = nullptr;
  std::string group_;
  std::set<std::string> used_;
  // The option whose value comes next.
  std::optional<Parameter> waiting_;
  std::size_t arguments_read_ = 0;
  bool only_arguments_ = false;
};

}  // namespace

Candidates CandidatesFor(const std::vector<std::string>& words) {
  LineReader line;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) line.Read(words[i]);
  return line.Next(words.empty() ? "" : words.back());
}

std::string CandidateLines(const Candidates& candidates) {
  std::string text = candidates.paths == Candidates::Paths::kFiles     ? "files\n"
                     : candidates.paths == Candidates::Paths::kFolders ? "folders\n"
                                                                       : "words\n";
  for (const Candidate& candidate : candidates.words) {
    absl::StrAppend(&text, candidate.word, "\t", candidate.description, "\n");
  }
  return text;
}

}  // namespace roar::reference
