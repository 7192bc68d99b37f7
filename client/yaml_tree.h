#pragma once

#include <string>
#include <utility>
#include <vector>

namespace roar {

// A YAML document as it was written: scalars stay text (nothing turns `no` into false or `010` into 8), every node
// knows its line, and a mapping keeps all its entries, also those whose key is there twice. yaml-cpp's own tree loses
// both.
struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };
  Kind kind = Kind::kNull;
  // From 1; of a mapping or sequence, the line where it begins.
  int line = 1;
  // Of a scalar.
  std::string text;
  // Of a sequence.
  std::vector<YamlNode> items;
  // Of a mapping, in the order of the file.
  std::vector<std::pair<YamlNode, YamlNode>> entries;

  // The value of the first entry with that key, or nullptr.
  const YamlNode* Find(const std::string& key) const;
};

// A problem of the file at a line, which counts from 1.
struct LineProblem {
  int line = 1;
  std::string message;
  bool operator==(const LineProblem&) const = default;
};

struct YamlDocument {
  YamlNode root;
  // What makes the file unusable as a whole (syntax, tabs, no or several documents, an alias), and keys that are there
  // twice. After the former the root is null.
  std::vector<LineProblem> problems;
  bool IsReadable() const { return root.kind != YamlNode::Kind::kNull; }
};

YamlDocument ReadYaml(const std::string& text);

}  // namespace roar
