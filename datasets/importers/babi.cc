#include "datasets/importers/babi.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "datasets/importers/text_file.h"
#include "datasets/text/babi_examples.h"

namespace roar::datasets {
namespace {

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view WithoutLast(std::string_view text, char mark) {
  text = Trim(text);
  return !text.empty() && text.back() == mark ? Trim(text.substr(0, text.size() - 1)) : text;
}

std::vector<std::string_view> SplitColumns(std::string_view text) {
  std::vector<std::string_view> columns;
  for (std::size_t tab = text.find('\t'); tab != std::string_view::npos; tab = text.find('\t')) {
    columns.push_back(text.substr(0, tab));
    text.remove_prefix(tab + 1);
  }
  columns.push_back(text);
  return columns;
}

std::optional<std::int64_t> ToId(std::string_view text) {
  std::int64_t id = 0;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  return digits && absl::SimpleAtoi(std::string(text), &id) ? std::optional(id) : std::nullopt;
}

class BabiParser {
 public:
  BabiParser(std::string file, ImportReport& report) : file_(std::move(file)), report_(report) {}

  void Read(std::string_view line) {
    ++line_;
    if (Trim(line).empty()) return;
    ended_with_statement_ = false;
    const std::size_t space = line.find(' ');
    const std::optional<std::int64_t> id = ToId(line.substr(0, space));
    if (!id.has_value()) return Report(absl::StrCat("no line number before ", Quoted(line)));
    FollowStory(*id);
    const std::string_view text = space == std::string_view::npos ? "" : line.substr(space + 1);
    const std::vector<std::string_view> columns = SplitColumns(text);
    if (columns.size() > 1) {
      ReadQuestion(columns);
    } else {
      ReadStatement(text);
    }
  }

  // After the last line. Every story ends with a question, so a file that does not was cut.
  void Finish() {
    if (ended_with_statement_) Report("the file ends in the middle of a story; was it cut short?");
  }

  std::vector<BabiQuestion> TakeQuestions() && { return std::move(questions_); }

 private:
  void Report(std::string cause) { report_.Add({.file = file_, .line = line_, .cause = std::move(cause)}); }

  void FollowStory(std::int64_t id) {
    if (id == 1) {
      story_.clear();
      statement_ids_.clear();
    } else if (id != id_ + 1) {
      Report(absl::StrCat("line number ", id, " after ", id_, "; expected ", id_ + 1, ", or 1 for a new story"));
    }
    id_ = id;
  }

  void ReadStatement(std::string_view text) {
    if (text.find('?') != std::string_view::npos) {
      return Report("a question without a TAB before its answer (are there spaces for tabs?)");
    }
    const std::vector<std::string> words = SplitWords(WithoutLast(text, '.'));
    if (words.empty()) return Report("an empty statement");
    AppendStatement(words, story_);
    statement_ids_.insert(id_);
    ended_with_statement_ = true;
  }

  void ReadQuestion(const std::vector<std::string_view>& columns) {
    BabiQuestion question = {.line = line_,
                             .story = story_,
                             .question = SplitWords(WithoutLast(columns[0], '?')),
                             .answer = std::string(Trim(columns[1]))};
    if (columns.size() > 3) Report(absl::StrCat(columns.size(), " columns; a question has at most 3"));
    if (question.question.empty()) Report("an empty question");
    if (question.answer.empty()) Report("a question without an answer");
    if (question.story.empty()) Report("a question before any statement");
    if (columns.size() == 3) CheckSupport(columns[2]);
    questions_.push_back(std::move(question));
  }

  void CheckSupport(std::string_view column) {
    for (const std::string& word : SplitWords(column)) {
      const std::optional<std::int64_t> id = ToId(word);
      if (!id.has_value() || statement_ids_.count(*id) == 0) {
        Report(absl::StrCat("supporting line ", Quoted(word), " is no earlier statement of the story"));
      }
    }
  }

  const std::string file_;
  ImportReport& report_;
  std::int64_t line_ = 0;
  std::int64_t id_ = 0;
  bool ended_with_statement_ = false;
  std::vector<std::string> story_;
  std::set<std::int64_t> statement_ids_;
  std::vector<BabiQuestion> questions_;
};

// The index of an answer among the labels, or -1.
std::int32_t LabelOf(const std::string& answer) {
  const std::vector<std::string>& labels = BabiLabels();
  const auto found = std::find(labels.begin(), labels.end(), answer);
  return found == labels.end() ? -1 : static_cast<std::int32_t>(found - labels.begin());
}

absl::StatusOr<std::vector<Example>> ReadExamples(const std::string& file, ImportReport& report) {
  const absl::StatusOr<std::string> text = ReadTextFile(file);
  if (!text.ok()) return text.status();
  const std::size_t problems_before = report.problems().size();
  std::vector<BabiQuestion> questions = ParseBabi(*text, file, report);
  if (questions.empty() && report.problems().size() == problems_before) {
    report.Add({.file = file, .line = 1, .cause = "no question in the whole file"});
  }
  std::vector<Example> examples;
  for (BabiQuestion& question : questions) {
    const std::int32_t label = LabelOf(question.answer);
    if (label < 0) {
      const std::string cause = absl::StrCat("answer ", Quoted(question.answer), " is not one of the 36 labels");
      report.Add({.file = file, .line = question.line, .cause = cause});
    }
    examples.push_back(
        {.tokens = std::move(question.story), .second_tokens = std::move(question.question), .label = label});
  }
  return examples;
}

// The files qaN_*_PART.txt[.gz] directly in a folder.
std::vector<std::string> FindPart(const std::filesystem::path& folder, int task, const std::string& part) {
  const std::string prefix = absl::StrCat("qa", task, "_");
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (name.starts_with(prefix) && name.ends_with("_" + part + ".txt")) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct TaskFiles {
  std::string train;
  std::string test;
};

absl::StatusOr<std::string> OnlyFile(const std::vector<std::string>& found, const std::string& wanted) {
  if (found.empty()) {
    return absl::NotFoundError(absl::StrCat(wanted, " is missing; give the folder that holds both parts"));
  }
  if (found.size() == 1) return found.front();
  return absl::InvalidArgumentError(absl::StrCat("both ", found[0], " and ", found[1], " could be meant; remove one"));
}

absl::StatusOr<TaskFiles> FindFiles(int task, const std::string& path) {
  for (const std::filesystem::path& folder : {std::filesystem::path(path), std::filesystem::path(path) / "en-10k"}) {
    const std::vector<std::string> train = FindPart(folder, task, "train");
    const std::vector<std::string> test = FindPart(folder, task, "test");
    if (train.empty() && test.empty()) continue;
    const std::string stem = absl::StrCat(folder.string(), "/qa", task, "_*_");
    const absl::StatusOr<std::string> train_file = OnlyFile(train, stem + "train.txt[.gz]");
    if (!train_file.ok()) return train_file.status();
    const absl::StatusOr<std::string> test_file = OnlyFile(test, stem + "test.txt[.gz]");
    if (!test_file.ok()) return test_file.status();
    return TaskFiles{.train = *train_file, .test = *test_file};
  }
  return absl::NotFoundError(absl::StrCat(path, ": no readable folder with qa", task, "_*_train.txt[.gz] and qa", task,
                                          "_*_test.txt[.gz], in it or in its en-10k"));
}

}  // namespace

std::vector<BabiQuestion> ParseBabi(std::string_view text, const std::string& file, ImportReport& report) {
  const std::size_t problems_before = report.problems().size();
  const std::vector<std::string_view> lines = SplitLines(text, file, report);
  if (report.problems().size() > problems_before) return {};
  BabiParser parser(file, report);
  for (const std::string_view line : lines) parser.Read(line);
  parser.Finish();
  return std::move(parser).TakeQuestions();
}

absl::StatusOr<ImportedDataset> ImportBabi(int task, const std::string& path) {
  const absl::StatusOr<TaskFiles> files = FindFiles(task, path);
  if (!files.ok()) return files.status();
  ImportReport report;
  auto train = ReadExamples(files->train, report);
  if (!train.ok()) return train.status();
  auto test = ReadExamples(files->test, report);
  if (!test.ok()) return test.status();
  if (absl::Status problems = report.ToStatus(); !problems.ok()) return problems;
  return ImportedDataset{.dataset = AssembleBabi(*std::move(train), *std::move(test)), .remarks = {kValidationRemark}};
}

}  // namespace roar::datasets
