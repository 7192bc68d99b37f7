#include "datasets/importers/label_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "datasets/importers/import_report.h"

namespace roar::datasets {
namespace {

// Decimal numbers only: the words "nan" and "inf" are words.
std::optional<double> AsNumber(const std::string& label) {
  double value = 0;
  const bool is_decimal = label.find_first_not_of("0123456789.+-eE") == std::string::npos;
  return is_decimal && absl::SimpleAtod(label, &value) ? std::optional(value) : std::nullopt;
}

// Equal for labels that may be meant to be one.
std::string Essence(const std::string& label) {
  const std::string plain = absl::AsciiStrToLower(std::string(absl::StripAsciiWhitespace(label)));
  const std::optional<double> number = AsNumber(plain);
  return number.has_value() ? absl::StrCat(*number) : plain;
}

}  // namespace

std::vector<std::string> SortedLabels(const std::set<std::string>& labels) {
  std::vector<std::string> sorted(labels.begin(), labels.end());
  const bool are_numbers =
      std::all_of(sorted.begin(), sorted.end(), [](const std::string& label) { return AsNumber(label).has_value(); });
  if (!are_numbers) return sorted;
  std::sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) {
    return std::tuple(*AsNumber(a), a) < std::tuple(*AsNumber(b), b);
  });
  return sorted;
}

std::vector<std::string> LookalikeRemarks(const std::set<std::string>& labels) {
  std::map<std::string, std::vector<std::string>> by_essence;
  std::size_t numbers = 0;
  for (const std::string& label : labels) {
    by_essence[Essence(label)].push_back(Quoted(label));
    if (AsNumber(label).has_value()) ++numbers;
  }
  std::vector<std::string> remarks;
  for (const auto& [essence, alike] : by_essence) {
    if (alike.size() < 2) continue;
    remarks.push_back(absl::StrCat("look alike, and are ", alike.size(), " classes: ", absl::StrJoin(alike, ", ")));
  }
  if (numbers > 0 && numbers < labels.size()) {
    remarks.push_back(absl::StrCat(numbers, " of the ", labels.size(), " classes are numbers, the others are not"));
  }
  return remarks;
}

}  // namespace roar::datasets
