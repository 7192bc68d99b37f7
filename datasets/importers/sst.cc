#include "datasets/importers/sst.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "core/experiment/sha256.h"
#include "datasets/importers/sst_tree.h"
#include "datasets/importers/text_file.h"
#include "datasets/text/word_splitter.h"

namespace roar::datasets {
namespace {

namespace fs = std::filesystem;

constexpr int kNeutral = 2;
constexpr std::size_t kTokensAtMostLeftOut = 5;

// "1 a fine film", with labels 0 to `largest`.
std::optional<SstSentence> ParseLabelled(std::string_view line, int largest, ImportProblem place,
                                         ImportReport& report) {
  if (line.size() < 2 || line[0] < '0' || line[0] > '0' + largest || line[1] != ' ') {
    place.cause = absl::StrCat("column 1: a label of 0 to ", largest, " and a blank are missing");
    report.Add(std::move(place));
    return std::nullopt;
  }
  return SstSentence{.label = line[0] - '0', .text = std::string(line.substr(2))};
}

std::optional<SstSentence> ParseTwoClasses(std::string_view line, ImportProblem place, ImportReport& report) {
  std::optional<SstSentence> sentence = ParseLabelled(line, 1, std::move(place), report);
  if (sentence.has_value()) sentence->label = sentence->label == 0 ? 0 : 4;
  return sentence;
}

std::optional<SstSentence> ParseFiveClasses(std::string_view line, ImportProblem place, ImportReport& report) {
  return ParseLabelled(line, 4, std::move(place), report);
}

struct Form {
  // What stands before and after train, dev or test in a file's name, before .gz.
  std::string_view prefix;
  std::string_view suffix;
  std::string_view description;
  std::optional<SstSentence> (*parse)(std::string_view line, ImportProblem place, ImportReport& report);
};

constexpr Form kForms[] = {{"", ".txt", "trees", ParseSstTree},
                           {"stsa.binary.", "", "sentences with two classes", ParseTwoClasses},
                           {"stsa.fine.", "", "sentences with five classes", ParseFiveClasses}};

constexpr std::pair<Split, std::string_view> kParts[] = {
    {Split::kTrain, "train"}, {Split::kValidation, "dev"}, {Split::kTest, "test"}};

struct FoundFiles {
  const Form* form = nullptr;
  std::map<Split, std::string> paths;
};

// The files of a form in a folder; empty when there is none at all, an error when there are some.
absl::StatusOr<std::map<Split, std::string>> FindForm(const fs::path& folder, const Form& form) {
  std::map<Split, std::string> paths;
  std::string missing;
  for (const auto& [split, part] : kParts) {
    const fs::path plain = folder / absl::StrCat(std::string(form.prefix), std::string(part), std::string(form.suffix));
    const fs::path gzip = plain.string() + ".gz";
    std::error_code ignored;
    const bool is_plain = fs::is_regular_file(plain, ignored);
    const bool is_gzip = fs::is_regular_file(gzip, ignored);
    if (is_plain && is_gzip) {
      return absl::InvalidArgumentError(
          absl::StrCat("both ", plain.string(), " and ", gzip.string(), " could be meant; remove one"));
    }
    if (is_plain || is_gzip) paths[split] = (is_plain ? plain : gzip).string();
    if (!is_plain && !is_gzip && missing.empty()) missing = plain.string();
  }
  if (!paths.empty() && !missing.empty()) {
    return absl::NotFoundError(absl::StrCat(missing, "[.gz] is missing; train, dev and test belong together"));
  }
  return paths;
}

absl::StatusOr<FoundFiles> FindFiles(const fs::path& path) {
  for (const fs::path& folder : {path, path / "trees", path / "ptb", path / "stsa"}) {
    for (const Form& form : kForms) {
      const auto paths = FindForm(folder, form);
      if (!paths.ok()) return paths.status();
      if (!paths->empty()) return FoundFiles{.form = &form, .paths = *paths};
    }
  }
  return absl::NotFoundError(
      absl::StrCat(path.string(),
                   ": no folder with train.txt, dev.txt and test.txt (trees), or stsa.binary.* or "
                   "stsa.fine.* (sentences), in it or in its trees, ptb or stsa"));
}

std::vector<std::string> Tokens(const SstSentence& sentence, const WordSplitter& splitter) {
  const std::string lower = absl::AsciiStrToLower(sentence.text);
  return splitter.Split(absl::StrReplaceAll(lower, {{"-lrb-", " "}, {"-rrb-", " "}}));
}

struct LeftOut {
  std::int64_t neutral = 0;
  std::int64_t too_short = 0;
};

class SplitReader {
 public:
  SplitReader(const Form& form, const WordSplitter& splitter, ImportReport& report)
      : form_(form), splitter_(splitter), report_(report) {}

  absl::StatusOr<std::vector<Example>> Read(const std::string& file) {
    const absl::StatusOr<std::string> text = ReadTextFile(file);
    if (!text.ok()) return text.status();
    ImportProblem place = {.file = file};
    std::vector<Example> examples;
    for (const std::string_view line : SplitLines(*text, file, report_)) {
      ++place.line;
      if (line.find_first_not_of(' ') == std::string_view::npos) continue;
      if (const auto sentence = form_.parse(line, place, report_)) Keep(*sentence, examples);
    }
    SortByHash(examples);
    return examples;
  }

  const LeftOut& left_out() const { return left_out_; }

 private:
  void Keep(const SstSentence& sentence, std::vector<Example>& examples) {
    if (sentence.label == kNeutral) {
      ++left_out_.neutral;
      return;
    }
    std::vector<std::string> tokens = Tokens(sentence, splitter_);
    if (tokens.size() <= kTokensAtMostLeftOut) {
      ++left_out_.too_short;
      return;
    }
    examples.push_back({.tokens = std::move(tokens), .label = sentence.label > kNeutral ? 1 : 0});
  }

  static void SortByHash(std::vector<Example>& examples) {
    std::vector<std::tuple<std::string, std::int32_t, std::size_t>> order;
    for (const Example& example : examples) {
      order.emplace_back(Sha256Hex(absl::StrJoin(example.tokens, " ")), example.label, order.size());
    }
    std::sort(order.begin(), order.end());
    std::vector<Example> sorted;
    for (const auto& [hash, label, index] : order) sorted.push_back(std::move(examples[index]));
    examples = std::move(sorted);
  }

  const Form& form_;
  const WordSplitter& splitter_;
  ImportReport& report_;
  LeftOut left_out_;
};

}  // namespace

absl::StatusOr<ImportedDataset> ImportSst(const std::string& path) {
  const absl::StatusOr<FoundFiles> files = FindFiles(path);
  if (!files.ok()) return files.status();
  const absl::StatusOr<WordSplitter> splitter = WordSplitter::Create();
  if (!splitter.ok()) return splitter.status();
  ImportReport report;
  SplitReader reader(*files->form, *splitter, report);
  ImportedDataset imported = {.dataset = {.labels = {"negative", "positive"}}};
  for (const auto& [split, file] : files->paths) {
    auto examples = reader.Read(file);
    if (!examples.ok()) return examples.status();
    if (examples->empty() && report.problems().empty())
      report.Add({.file = file, .line = 1, .cause = "no sentence to keep in the whole file"});
    imported.dataset.splits[split] = *std::move(examples);
  }
  if (absl::Status problems = report.ToStatus(); !problems.ok()) return problems;
  imported.remarks = {absl::StrCat("read as ", std::string(files->form->description)),
                      absl::StrCat("left out: ", reader.left_out().neutral, " neutral sentences, and ",
                                   reader.left_out().too_short, " of at most ", kTokensAtMostLeftOut, " tokens")};
  return imported;
}

}  // namespace roar::datasets
