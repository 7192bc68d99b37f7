#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "datasets/importers/table.h"
#include "datasets/importers/text_file.h"

namespace roar::datasets {
namespace {

using Json = nlohmann::ordered_json;

struct ParsedLine {
  Json value;
  // Why it is no row, or nothing.
  std::string fault;
};

// Notices keys that an object has twice, of which the library keeps the last.
class DuplicateKeys {
 public:
  bool operator()(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys_of_open_objects_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_of_open_objects_.pop_back();
    if (event == Json::parse_event_t::key && !keys_of_open_objects_.back().insert(parsed.get<std::string>()).second) {
      found_ = parsed.get<std::string>();
    }
    return true;
  }
  const std::optional<std::string>& found() const { return found_; }

 private:
  std::vector<std::set<std::string>> keys_of_open_objects_;
  std::optional<std::string> found_;
};

ParsedLine ParseLine(std::string_view line) {
  DuplicateKeys duplicates;
  const auto notice = [&duplicates](int, Json::parse_event_t event, Json& parsed) { return duplicates(event, parsed); };
  try {
    ParsedLine parsed = {.value = Json::parse(line, notice)};
    if (!parsed.value.is_object()) parsed.fault = absl::StrCat("not an object but ", parsed.value.type_name());
    if (duplicates.found()) parsed.fault = absl::StrCat("the key ", Quoted(*duplicates.found()), " stands twice");
    return parsed;
  } catch (const Json::parse_error& error) {
    return {.fault = absl::StrCat("not JSON, at byte ", error.byte)};
  } catch (const Json::exception&) {
    return {.fault = "not JSON: a number is too large"};
  }
}

Field ToField(const Json& value) {
  if (value.is_string()) return {.text = value.get<std::string>()};
  if (value.is_number_integer()) return {.kind = Field::Kind::kInteger, .text = value.dump()};
  return {.kind = Field::Kind::kOther, .text = value.is_number() ? "a fraction" : value.type_name()};
}

class JsonlReader {
 public:
  JsonlReader(const std::string& file, ImportReport& report) : file_(file), report_(report) {}

  void Read(std::string_view line) {
    ++line_;
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    const ParsedLine parsed = ParseLine(line);
    if (!parsed.fault.empty()) return report_.Add({.file = file_, .line = line_, .cause = parsed.fault});
    Row row = {.line = line_};
    for (const auto& [key, value] : parsed.value.items()) {
      const std::size_t column = ColumnOf(key);
      if (column >= row.fields.size()) row.fields.resize(column + 1, {.kind = Field::Kind::kAbsent});
      row.fields[column] = ToField(value);
    }
    table_.rows.push_back(std::move(row));
  }

  Table Finish() && {
    for (Row& row : table_.rows) row.fields.resize(table_.keys.size(), {.kind = Field::Kind::kAbsent});
    return std::move(table_);
  }

 private:
  std::size_t ColumnOf(const std::string& key) {
    const auto [found, is_new] = columns_.emplace(key, table_.keys.size());
    if (is_new) table_.keys.push_back(key);
    return found->second;
  }

  const std::string& file_;
  ImportReport& report_;
  std::int64_t line_ = 0;
  std::map<std::string, std::size_t> columns_;
  Table table_;
};

}  // namespace

Table ReadJsonl(std::string_view text, const std::string& file, ImportReport& report) {
  JsonlReader reader(file, report);
  for (const std::string_view line : SplitLines(text, file, report)) reader.Read(line);
  return std::move(reader).Finish();
}

}  // namespace roar::datasets
