#include "datasets/importers/table_columns.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace roar::datasets {
namespace {

constexpr std::string_view kLabelNames[] = {"label", "class", "target", "gold_label"};
constexpr std::string_view kTextNames[] = {"text", "sentence", "sentence1", "premise", "review", "document"};
constexpr std::string_view kSecondTextNames[] = {"text2", "sentence2", "hypothesis", "question"};
constexpr std::string_view kSplitNames[] = {"split", "partition"};

struct Role {
  std::string_view name;
  std::string_view option;
  std::span<const std::string_view> usual_names;
};

constexpr Role kLabel = {"label", "--label", kLabelNames};
constexpr Role kText = {"text", "--text", kTextNames};
constexpr Role kSecondText = {"second text", "--second-text", kSecondTextNames};
constexpr Role kSplit = {"split", "--split", kSplitNames};

std::string Normalized(const std::string& title) {
  return absl::AsciiStrToLower(std::string(absl::StripAsciiWhitespace(title)));
}

bool HasUsualName(const Role& role, const std::string& title) {
  return std::find(role.usual_names.begin(), role.usual_names.end(), Normalized(title)) != role.usual_names.end();
}

std::optional<std::size_t> AsNumber(const std::string& name) {
  std::size_t number = 0;
  return absl::SimpleAtoi(name, &number) && number > 0 ? std::optional(number) : std::nullopt;
}

// Finds the columns of one table; the first fault ends it.
class ColumnFinder {
 public:
  ColumnFinder(const Table& table, const std::string& file, ImportReport& report)
      : table_(table), file_(file), report_(report), titles_(table.keys), has_keys_(!table.keys.empty()) {
    if (has_keys_ || table.rows.empty()) return;
    for (const Field& field : table.rows.front().fields) titles_.push_back(field.text);
  }

  std::optional<Columns> Find(const ColumnNames& names, bool needs_split) {
    if (titles_.empty()) return Fail("no rows");
    if (IsByNumber(names)) {
      if (HasAnyUsualName()) return Fail(absl::StrCat("a header: ", Titles(), "; name the columns by it"));
      for (std::size_t i = 0; i < titles_.size(); ++i) titles_[i] = absl::StrCat(i + 1);
    } else if (IsHeaderless(names)) {
      if (!needs_split && CanOnlyBeLabelAndText()) return LabelAndText();
      return Fail(absl::StrCat("no header with a known name for the label and the text, but ", Titles(),
                               "; name the columns with --label and --text, by the header or by numbers from 1"));
    } else {
      columns_.has_header = !has_keys_;
    }
    const auto label = Choose(kLabel, names.label, true);
    const auto text = label ? Choose(kText, names.text, true) : std::nullopt;
    if (!text) return std::nullopt;
    columns_.label = *label;
    columns_.text = *text;
    columns_.second_text = Choose(kSecondText, names.second_text, false);
    if (needs_split) columns_.split = Choose(kSplit, names.split, true);
    if (has_failed_ || !AreDistinct()) return std::nullopt;
    columns_.titles = titles_;
    return columns_;
  }

 private:
  std::nullopt_t Fail(const std::string& cause) {
    report_.Add({.file = file_, .line = table_.rows.empty() ? 1 : table_.rows.front().line, .cause = cause});
    has_failed_ = true;
    return std::nullopt;
  }

  std::string Titles() const {
    constexpr std::size_t kShown = 10;
    std::vector<std::string> shown;
    for (const std::string& title : titles_) {
      if (shown.size() < kShown) shown.push_back(Quoted(title));
    }
    return absl::StrCat(absl::StrJoin(shown, ", "), titles_.size() > kShown ? ", ..." : "");
  }

  bool IsByNumber(const ColumnNames& names) const {
    if (has_keys_ || names.label.empty() || names.text.empty()) return false;
    for (const std::string* name : {&names.label, &names.text, &names.second_text, &names.split}) {
      if (!name->empty() && !AsNumber(*name)) return false;
    }
    return true;
  }

  bool HasAnyUsualName() const {
    return std::any_of(titles_.begin(), titles_.end(), [](const std::string& title) {
      return HasUsualName(kLabel, title) || HasUsualName(kText, title);
    });
  }

  bool IsHeaderless(const ColumnNames& names) const {
    if (has_keys_ || !names.label.empty() || !names.text.empty()) return false;
    return !HasAnyUsualName();
  }

  bool CanOnlyBeLabelAndText() const {
    if (titles_.size() != 2 && titles_.size() != 3) return false;
    std::multiset<std::string> labels;
    std::set<std::string> texts;
    for (const Row& row : table_.rows) {
      labels.insert(row.fields[0].text);
      texts.insert(row.fields[1].text);
    }
    const std::size_t classes = std::set<std::string>(labels.begin(), labels.end()).size();
    return labels.count(titles_[0]) > 1 && 2 * classes <= labels.size() && classes < texts.size();
  }

  Columns LabelAndText() {
    Columns columns = {.label = 0, .text = 1};
    if (titles_.size() == 3) columns.second_text = 2;
    for (std::size_t i = 0; i < titles_.size(); ++i) columns.titles.push_back(absl::StrCat(i + 1));
    return columns;
  }

  std::optional<std::size_t> Choose(const Role& role, const std::string& name, bool is_needed) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
      if (name.empty() ? HasUsualName(role, titles_[i]) : titles_[i] == name) found.push_back(i);
    }
    if (found.size() == 1) return found.front();
    const std::string option(role.option);
    if (found.size() > 1) {
      return Fail(absl::StrCat(Quoted(titles_[found[0]]), " and ", Quoted(titles_[found[1]]), " could both be the ",
                               std::string(role.name), "; name it with ", option));
    }
    if (!name.empty()) return Fail(absl::StrCat(option, ": no column ", Quoted(name), " among ", Titles()));
    if (!is_needed) return std::nullopt;
    return Fail(
        absl::StrCat("no column for the ", std::string(role.name), " among ", Titles(), "; name it with ", option));
  }

  bool AreDistinct() {
    std::set<std::size_t> columns;
    for (const auto& column :
         {std::optional(columns_.label), std::optional(columns_.text), columns_.second_text, columns_.split}) {
      if (column && !columns.insert(*column).second) {
        Fail(absl::StrCat("the column ", Quoted(titles_[*column]), " cannot be two things"));
        return false;
      }
    }
    return true;
  }

  const Table& table_;
  const std::string& file_;
  ImportReport& report_;
  std::vector<std::string> titles_;
  const bool has_keys_;
  bool has_failed_ = false;
  Columns columns_;
};

}  // namespace

std::optional<Columns> ChooseColumns(const Table& table, const ColumnNames& names, bool needs_split,
                                     const std::string& file, ImportReport& report) {
  return ColumnFinder(table, file, report).Find(names, needs_split);
}

bool IsGoldLabel(const Columns& columns) { return Normalized(columns.titles[columns.label]) == "gold_label"; }

std::string Describe(const Columns& columns) {
  std::string text = absl::StrCat("label from ", Quoted(columns.titles[columns.label]), ", text from ",
                                  Quoted(columns.titles[columns.text]));
  if (columns.second_text) {
    absl::StrAppend(&text, ", second text from ", Quoted(columns.titles[*columns.second_text]));
  }
  if (columns.split) absl::StrAppend(&text, ", split from ", Quoted(columns.titles[*columns.split]));
  return text;
}

}  // namespace roar::datasets
