#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "datasets/importers/table.h"
#include "datasets/importers/text_file.h"

namespace roar::datasets {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file, ImportReport& report)
      : text_(text), file_(file), report_(report) {}

  Table Read() && {
    while (at_ < text_.size()) ReadRecord();
    return std::move(table_);
  }

 private:
  void ReadRecord() {
    Row row = {.line = line_};
    const std::size_t begin = at_;
    do {
      std::string field;
      if (!ReadField(field)) return SkipLine();
      row.fields.push_back({.text = std::move(field)});
    } while (Take(","));
    const bool is_blank = row.fields.size() == 1 && row.fields[0].text.empty() && text_[begin] != '"';
    TakeLineEnd();
    if (!is_blank) AddRow(std::move(row), file_, table_, report_);
  }

  // False on a fault, which has been reported.
  bool ReadField(std::string& field) {
    if (Take("\"")) return ReadQuoted(field);
    const std::size_t end = std::min(text_.find_first_of(",\n\"", at_), text_.size());
    field = text_.substr(at_, end - at_);
    at_ = end;
    if (at_ < text_.size() && text_[at_] == '"') {
      Report(line_, "a quote inside a field without quotes; put quotes around the field and double those in it");
      return false;
    }
    if (field.ends_with('\r') && (at_ == text_.size() || text_[at_] == '\n')) field.pop_back();
    return true;
  }

  bool ReadQuoted(std::string& field) {
    const std::int64_t opened_at = line_;
    do {
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) {
        Report(opened_at, "the quote that opens here is never closed");
        at_ = text_.size();
        return false;
      }
      const std::string_view part = text_.substr(at_, end - at_);
      line_ += std::count(part.begin(), part.end(), '\n');
      field += part;
      at_ = end + 1;
      if (Next() == '"') field += '"';
    } while (Take("\""));
    if (at_ == text_.size() || Next() == ',' || Next() == '\n' || text_.substr(at_, 2) == "\r\n") return true;
    Report(opened_at, absl::StrCat("the quote that opens here closes on line ", line_,
                                   " before more text; double the quotes in a field"));
    return false;
  }

  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool Take(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  void TakeLineEnd() {
    Take("\r");
    if (Take("\n")) ++line_;
  }

  void SkipLine() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    TakeLineEnd();
  }

  void Report(std::int64_t line, std::string cause) {
    report_.Add({.file = file_, .line = line, .cause = std::move(cause)});
  }

  const std::string_view text_;
  const std::string& file_;
  ImportReport& report_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  Table table_;
};

}  // namespace

Table ReadCsv(std::string_view text, const std::string& file, ImportReport& report) {
  // For what is no UTF-8 text; records are not lines.
  if (SplitLines(text, file, report).empty()) return {};
  return CsvReader(WithoutByteOrderMark(text), file, report).Read();
}

}  // namespace roar::datasets
