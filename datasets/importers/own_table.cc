#include "datasets/importers/own_table.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "datasets/importers/import_report.h"
#include "datasets/importers/label_names.h"
#include "datasets/importers/table_files.h"
#include "datasets/importers/text_file.h"
#include "datasets/text/validation_split.h"
#include "datasets/text/word_splitter.h"

namespace roar::datasets {
namespace {

constexpr std::size_t kClassesMost = 1000;

// An example whose label is still a name; and where it came from.
struct NamedExample {
  Example example;
  std::string label;
  ImportProblem place;
};

// Every class is one block of rows. Of few rows, that may be chance.
bool IsSortedByClass(const std::vector<Example>& examples) {
  std::set<std::int32_t> classes;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    classes.insert(examples[i].label);
    if (i == 0 || examples[i].label != examples[i - 1].label) ++blocks;
  }
  return classes.size() >= 2 && blocks == classes.size() && examples.size() > 2 * classes.size();
}

class OwnTableReader {
 public:
  OwnTableReader(const ColumnNames& names, WordSplitter splitter) : names_(names), splitter_(std::move(splitter)) {}

  absl::Status Read(const TableFile& file) {
    const absl::StatusOr<std::string> text = ReadTextFile(file.path);
    if (!text.ok()) return text.status();
    if (file.split.has_value()) examples_[*file.split];  // known to be there, if without examples
    const std::size_t problems_before = report_.problems().size();
    const Table table = file.format->read(*text, file.path, report_);
    if (table.rows.empty() && report_.problems().size() > problems_before) return absl::OkStatus();
    const std::optional<Columns> columns = ColumnsOf(table, file);
    if (!columns.has_value()) return absl::OkStatus();
    for (std::size_t i = columns->has_header ? 1 : 0; i < table.rows.size(); ++i) {
      ReadRow(table.rows[i], *columns, file);
    }
    const std::string name = std::filesystem::path(file.path).filename().string();
    remarks_.push_back(absl::StrCat(name, ": ", Describe(*columns)));
    return absl::OkStatus();
  }

  // After all files.
  absl::StatusOr<ImportedDataset> Finish() && {
    if (absl::Status problems = report_.ToStatus(); !problems.ok()) return problems;
    std::set<std::string> labels;
    for (const NamedExample& example : examples_[Split::kTrain]) labels.insert(example.label);
    if (absl::Status status = CheckWhole(labels); !status.ok()) return status;
    ImportedDataset imported = {.dataset = Assemble(SortedLabels(labels))};
    if (absl::Status problems = report_.ToStatus(); !problems.ok()) return problems;
    AddSorted(imported.dataset);
    if (!examples_.contains(Split::kValidation)) {
      TakeValidationSplit(imported.dataset);
      remarks_.push_back(kValidationRemark);
      if (imported.dataset.splits[Split::kValidation].empty()) {
        return absl::InvalidArgumentError("train is too small to take 15 % of it for validation; add a file dev");
      }
    }
    AddCounts();
    for (std::string& remark : LookalikeRemarks(labels)) remarks_.push_back(std::move(remark));
    imported.remarks = std::move(remarks_);
    return imported;
  }

 private:
  // In tables without a header, those of the first such hold for all.
  std::optional<Columns> ColumnsOf(const Table& table, const TableFile& file) {
    const bool may_have_header = table.keys.empty();
    if (may_have_header && headerless_columns_.has_value()) return headerless_columns_;
    const ImportProblem place = {.file = file.path, .line = 1};
    std::optional<Columns> columns = ChooseColumns(table, names_, !file.split.has_value(), file.path, report_);
    if (!columns.has_value()) return std::nullopt;
    const bool is_headerless = may_have_header && !columns->has_header;
    if (is_headerless && has_header_somewhere_) Report(place, "no header, but a file before it has one");
    if (is_headerless) headerless_columns_ = columns;
    has_header_somewhere_ |= columns->has_header;
    if (!columns_.has_value()) columns_ = columns;
    if (columns->second_text.has_value() != columns_->second_text.has_value()) {
      Report(place, "train and this file differ in whether there is a second text");
    }
    return columns;
  }

  void ReadRow(const Row& row, const Columns& columns, const TableFile& file) {
    const ImportProblem place = {.file = file.path, .line = row.line};
    const auto field = [&](std::size_t column) { return column < row.fields.size() ? &row.fields[column] : nullptr; };
    const Field* split = columns.split ? field(*columns.split) : nullptr;
    const Field* label = field(columns.label);
    const Field* text = field(columns.text);
    const Field* second = columns.second_text ? field(*columns.second_text) : nullptr;
    if (label == nullptr || text == nullptr || (columns.second_text && second == nullptr)) {
      return Report(place, absl::StrCat("number of columns: ", row.fields.size(), ", fewer than in train"));
    }
    if (IsGoldLabel(columns) && absl::StripAsciiWhitespace(label->text) == "-") {
      ++without_gold_label_;
      return;
    }
    const std::optional<Split> part = columns.split ? SplitOf(*split, place) : file.split;
    // All of them, so that every problem is told.
    const bool label_is_sound = CheckLabel(*label, place);
    const bool text_is_sound = CheckText("text", *text, place);
    const bool second_is_sound = second == nullptr || CheckText("second text", *second, place);
    if (!part.has_value() || !label_is_sound || !text_is_sound || !second_is_sound) return;
    Example example = {.tokens = splitter_.Split(text->text)};
    if (second != nullptr) example.second_tokens = splitter_.Split(second->text);
    if (example.tokens.empty()) ++without_words_;
    examples_[*part].push_back({.example = std::move(example), .label = label->text, .place = place});
  }

  std::optional<Split> SplitOf(const Field& field, const ImportProblem& place) {
    const std::optional<Split> split = SplitFromUsualName(field.text);
    if (!split) Report(place, absl::StrCat("split ", Quoted(field.text), " is none of train, dev and test"));
    return split;
  }

  bool CheckLabel(const Field& field, const ImportProblem& place) {
    if (field.kind == Field::Kind::kAbsent) return Refuse(place, "no label");
    if (field.kind == Field::Kind::kOther) {
      return Refuse(place, absl::StrCat("the label is ", field.text, "; a string or an integer is needed"));
    }
    return !absl::StripAsciiWhitespace(field.text).empty() || Refuse(place, "the label is empty");
  }

  bool CheckText(const std::string& what, const Field& field, const ImportProblem& place) {
    if (field.kind == Field::Kind::kText) return true;
    if (field.kind == Field::Kind::kAbsent) return Refuse(place, absl::StrCat("no ", what));
    return Refuse(place, absl::StrCat("the ", what, " is ", field.text, "; a string is needed"));
  }

  bool Refuse(const ImportProblem& place, const std::string& cause) {
    Report(place, cause);
    return false;
  }

  void Report(ImportProblem place, std::string cause) {
    place.cause = std::move(cause);
    report_.Add(std::move(place));
  }

  absl::Status CheckWhole(const std::set<std::string>& labels) {
    for (const Split split : kAllSplits) {
      const auto examples = examples_.find(split);
      const bool may_be_taken_from_train = split == Split::kValidation && examples == examples_.end();
      if (!may_be_taken_from_train && (examples == examples_.end() || examples->second.empty())) {
        return absl::InvalidArgumentError(absl::StrCat("there is no example in ", std::string(Name(split))));
      }
    }
    if (labels.size() < 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("train has only the class ", Quoted(*labels.begin()), "; a classifier needs two"));
    }
    if (labels.size() > kClassesMost) {
      return absl::InvalidArgumentError(absl::StrCat("train has ", labels.size(), " different labels, more than ",
                                                     kClassesMost, "; is it the right column? name it with --label"));
    }
    return absl::OkStatus();
  }

  // Reports labels that are none.
  Dataset Assemble(const std::vector<std::string>& labels) {
    std::map<std::string, std::int32_t> indices;
    for (const std::string& label : labels) indices.emplace(label, static_cast<std::int32_t>(indices.size()));
    Dataset dataset = {.labels = labels, .has_second_sequence = columns_->second_text.has_value()};
    for (auto& [split, examples] : examples_) {
      for (NamedExample& named : examples) {
        const auto found = indices.find(named.label);
        if (found == indices.end()) {
          Report(named.place, absl::StrCat("label ", Quoted(named.label), " does not occur in train"));
          continue;
        }
        named.example.label = found->second;
        dataset.splits[split].push_back(std::move(named.example));
      }
    }
    return dataset;
  }

  void AddSorted(const Dataset& dataset) {
    std::vector<std::string> sorted;
    for (const auto& [split, examples] : dataset.splits) {
      if (IsSortedByClass(examples)) sorted.emplace_back(Name(split));
    }
    if (sorted.empty()) return;
    remarks_.push_back(absl::StrCat("rows are sorted by class in ", absl::StrJoin(sorted, ", "),
                                    ": a `limit` takes the first, hence few classes; shuffle the file"));
  }

  void AddCounts() {
    if (without_gold_label_ > 0) {
      remarks_.push_back(absl::StrCat("left out: ", without_gold_label_, " rows without a gold label (\"-\")"));
    }
    if (without_words_ > 0) {
      remarks_.push_back(absl::StrCat("texts without a word, in which there is nothing to mask: ", without_words_));
    }
  }

  const ColumnNames& names_;
  const WordSplitter splitter_;
  ImportReport report_;
  std::map<Split, std::vector<NamedExample>> examples_;
  // Of the first file, train.
  std::optional<Columns> columns_;
  // Of the first table without header and keys.
  std::optional<Columns> headerless_columns_;
  bool has_header_somewhere_ = false;
  std::int64_t without_gold_label_ = 0;
  std::int64_t without_words_ = 0;
  std::vector<std::string> remarks_;
};

}  // namespace

absl::StatusOr<ImportedDataset> ImportOwnTable(const std::string& path, const OwnTableOptions& options) {
  const absl::StatusOr<std::vector<TableFile>> files = FindTableFiles(path, options.format);
  if (!files.ok()) return files.status();
  if (files->front().split.has_value() && !options.columns.split.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--split is for one file; in the folder ", path, " the files' names say it"));
  }
  absl::StatusOr<WordSplitter> splitter = WordSplitter::Create();
  if (!splitter.ok()) return splitter.status();
  OwnTableReader reader(options.columns, *std::move(splitter));
  for (const TableFile& file : *files) {
    if (absl::Status status = reader.Read(file); !status.ok()) return status;
  }
  return std::move(reader).Finish();
}

}  // namespace roar::datasets
