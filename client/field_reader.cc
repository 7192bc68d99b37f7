#include "client/field_reader.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/sweep/sweep_spec.h"

namespace roar {
namespace {

bool AllDigits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, absl::ascii_isdigit); }

std::string WithoutLeadingZeros(const std::string& digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

// The file's text, made safe for a line of a terminal.
std::string Quoted(const std::string& text) {
  constexpr std::size_t kShownBytes = 60;
  return absl::StrCat("\"", absl::CEscape(text.substr(0, kShownBytes)), text.size() > kShownBytes ? "...\"" : "\"");
}

bool HasLeadingZero(const std::string& text) { return text.size() > 1 && text[0] == '0' && AllDigits(text); }

// The integer that someone who wrote `text` probably meant, in the form to write it, or nothing.
std::optional<std::string> IntendedInteger(const std::string& text) {
  if (HasLeadingZero(text)) return WithoutLeadingZeros(text);
  if (text.size() > 1 && text.back() == '%' && AllDigits(text.substr(0, text.size() - 1))) {
    return WithoutLeadingZeros(text.substr(0, text.size() - 1));
  }
  std::string digits = text;
  std::erase(digits, '_');
  if (digits != text && AllDigits(digits)) return WithoutLeadingZeros(digits);
  double value = 0;
  const bool is_small_whole_number =
      absl::SimpleAtod(text, &value) && std::isfinite(value) && std::abs(value) < 1e15 && value == std::floor(value);
  if (!is_small_whole_number) return std::nullopt;
  return absl::StrCat(static_cast<std::int64_t>(value));
}

std::string KindWord(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kScalar:
      return Quoted(node.text);
    case YamlNode::Kind::kSequence:
      return "a list";
    case YamlNode::Kind::kMapping:
      return "a mapping";
  }
  return "";
}

}  // namespace

std::optional<std::string> FieldReader::Text(const YamlNode& node, const std::string& field) {
  if (node.kind == YamlNode::Kind::kScalar) return node.text;
  Problem(node.line, absl::StrCat(field, ": expected a name, found ", KindWord(node)));
  return std::nullopt;
}

std::optional<std::int64_t> FieldReader::Integer(const YamlNode& node, const std::string& field) {
  if (node.kind != YamlNode::Kind::kScalar) {
    Problem(node.line, absl::StrCat(field, ": expected an integer, found ", KindWord(node)));
    return std::nullopt;
  }
  const std::string& text = node.text;
  const std::string magnitude = !text.empty() && text[0] == '-' ? text.substr(1) : text;
  std::int64_t value = 0;
  if (AllDigits(magnitude) && !HasLeadingZero(magnitude)) {
    if (absl::SimpleAtoi(text, &value)) return value;
    Problem(node.line, absl::StrCat(field, ": ", Quoted(text), " is too large"));
    return std::nullopt;
  }
  const std::optional<std::string> intended = IntendedInteger(text);
  Problem(node.line, absl::StrCat(field, ": ", Quoted(text), " is not an integer",
                                  intended ? absl::StrCat("; write ", *intended) : std::string()));
  return std::nullopt;
}

std::optional<double> FieldReader::Number(const YamlNode& node, const std::string& field) {
  double value = 0;
  const bool is_number = node.kind == YamlNode::Kind::kScalar && absl::SimpleAtod(node.text, &value) &&
                         std::isfinite(value) && node.text.find_first_of("xX") == std::string::npos;
  if (!is_number) {
    Problem(node.line, absl::StrCat(field, ": expected a number such as 0.001 or 1e-3, found ", KindWord(node)));
    return std::nullopt;
  }
  if (node.text.size() > 1 && node.text[0] == '0' && absl::ascii_isdigit(node.text[1])) {
    Problem(node.line, absl::StrCat(field, ": ", Quoted(node.text), " has a leading zero; write ", value));
    return std::nullopt;
  }
  return value;
}

std::vector<const YamlNode*> FieldReader::Items(const YamlNode& node, const std::string& field) {
  std::vector<const YamlNode*> items;
  if (node.kind == YamlNode::Kind::kScalar) {
    items.push_back(&node);
  } else if (node.kind == YamlNode::Kind::kSequence) {
    for (const YamlNode& item : node.items) items.push_back(&item);
  } else {
    Problem(node.line, absl::StrCat(field, ": expected a list, found ", KindWord(node)));
  }
  return items;
}

bool FieldReader::Mapping(const YamlNode& node, const std::string& field, std::span<const std::string_view> known) {
  if (node.kind != YamlNode::Kind::kMapping) {
    Problem(node.line, absl::StrCat(field, ": expected keys with values, found ", KindWord(node)));
    return false;
  }
  for (const auto& [key, value] : node.entries) {
    if (std::ranges::count(known, std::string_view(key.text)) > 0) continue;
    const std::optional<std::string> nearest = NearestName(key.text, known);
    std::string hint = nearest ? absl::StrCat("did you mean ", *nearest, "?") : "known keys:";
    for (std::size_t i = 0; !nearest && i < known.size(); ++i) {
      absl::StrAppend(&hint, i == 0 ? " " : ", ", std::string(known[i]));
    }
    Problem(key.line, absl::StrCat("unknown key ", Quoted(key.text), "; ", hint));
  }
  return true;
}

}  // namespace roar
