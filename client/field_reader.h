#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/yaml_tree.h"

namespace roar {

// Reads typed values from YAML nodes by the rules of the sweep file, and collects what does not fit. Integers are plain
// decimals: no leading zero (octal to some readers), sign, exponent, unit or grouping, each refused with what to write.
class FieldReader {
 public:
  std::optional<std::string> Text(const YamlNode& node, const std::string& field);
  std::optional<std::int64_t> Integer(const YamlNode& node, const std::string& field);
  std::optional<double> Number(const YamlNode& node, const std::string& field);

  // The items of a list; a single scalar is a list of one.
  std::vector<const YamlNode*> Items(const YamlNode& node, const std::string& field);

  // Whether the node is a mapping. Every key that is not among `known` is a problem, with the nearest known one.
  bool Mapping(const YamlNode& node, const std::string& field, std::span<const std::string_view> known);

  void Problem(int line, const std::string& message) { problems_.push_back({line, message}); }
  std::vector<LineProblem>& problems() { return problems_; }

 private:
  std::vector<LineProblem> problems_;
};

}  // namespace roar
