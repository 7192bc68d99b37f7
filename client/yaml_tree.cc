#include "client/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace roar {
namespace {

int LineOf(const YAML::Mark& mark) { return mark.line + 1; }

// Builds the tree of one document from the parser's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  YamlNode& root() { return root_; }
  // Line of the first alias, or 0.
  int alias_line() const { return alias_line_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { Place({.line = LineOf(mark)}); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    if (alias_line_ == 0) alias_line_ = LineOf(mark);
    Place({.line = LineOf(mark)});
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    Place({.kind = YamlNode::Kind::kScalar, .line = LineOf(mark), .text = value});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open_.push_back({.node = {.kind = YamlNode::Kind::kSequence, .line = LineOf(mark)}});
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open_.push_back({.node = {.kind = YamlNode::Kind::kMapping, .line = LineOf(mark)}});
  }
  void OnMapEnd() override { Close(); }

 private:
  // A mapping or sequence whose end has not come. Within a mapping, nodes alternate: key, value, key, value.
  struct Open {
    YamlNode node;
    bool has_key = false;
  };

  void Close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    Place(std::move(node));
  }

  void Place(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kSequence) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      parent.node.entries.emplace_back(std::move(node), YamlNode{});
      parent.has_key = true;
    } else {
      // The parser notices a missing value only where the next thing begins.
      if (node.kind == YamlNode::Kind::kNull) node.line = parent.node.entries.back().first.line;
      parent.node.entries.back().second = std::move(node);
      parent.has_key = false;
    }
  }

  YamlNode root_;
  std::vector<Open> open_;
  int alias_line_ = 0;
};

// Line of the first tab in an indentation, or 0. YAML forbids them, and what parsers say about them helps nobody.
int FindTabInIndentation(const std::string& text) {
  int line = 1;
  bool in_indentation = true;
  for (const char c : text) {
    if (in_indentation && c == '\t') return line;
    if (c == '\n') ++line;
    in_indentation = c == '\n' || (in_indentation && c == ' ');
  }
  return 0;
}

void FindDuplicateKeys(const YamlNode& node, std::vector<LineProblem>& problems) {
  std::map<std::string, int> line_of_key;
  for (const auto& [key, value] : node.entries) {
    const auto [first, is_new] = line_of_key.emplace(key.text, key.line);
    if (!is_new) {
      problems.push_back({key.line, absl::StrCat("key \"", absl::CEscape(key.text), "\" is already at line ",
                                                 first->second, "; remove one of them")});
    }
    FindDuplicateKeys(value, problems);
  }
  for (const YamlNode& item : node.items) FindDuplicateKeys(item, problems);
}

YamlDocument Unusable(int line, const std::string& message) { return {.problems = {{line, message}}}; }

YamlDocument ReadDocument(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  TreeBuilder builder;
  if (!parser.HandleNextDocument(builder) || builder.root().kind == YamlNode::Kind::kNull) {
    return Unusable(1, "the file is empty");
  }
  TreeBuilder second;
  if (parser.HandleNextDocument(second)) {
    return Unusable(second.root().line, "a second document begins here; write one sweep per file");
  }
  if (builder.alias_line() > 0) {
    return Unusable(builder.alias_line(), "aliases (*name) are not supported; write the value out");
  }
  YamlDocument document{.root = std::move(builder.root())};
  FindDuplicateKeys(document.root, document.problems);
  return document;
}

}  // namespace

const YamlNode* YamlNode::Find(const std::string& key) const {
  for (const auto& [entry_key, value] : entries) {
    if (entry_key.text == key) return &value;
  }
  return nullptr;
}

YamlDocument ReadYaml(const std::string& text) {
  if (const int line = FindTabInIndentation(text); line > 0) {
    return Unusable(line, absl::StrCat("tab at line ", line, "; indent with spaces"));
  }
  try {
    return ReadDocument(text);
  } catch (const YAML::Exception& error) {
    return Unusable(error.mark.is_null() ? 1 : LineOf(error.mark), absl::StrCat("not YAML: ", error.msg));
  }
}

}  // namespace roar
