#include "client/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

LineProblem Only(const YamlDocument& document) {
  EXPECT_EQ(document.problems.size(), 1u);
  return document.problems.empty() ? LineProblem{} : document.problems[0];
}

TEST(YamlTreeTest, ScalarsStayTheirText) {
  const YamlDocument document = ReadYaml("a: [no, off, 010, 1e3, 1:30:00, 1.10, \"yes\"]\n");
  ASSERT_THAT(document.problems, IsEmpty());
  std::vector<std::string> texts;
  for (const YamlNode& item : document.root.Find("a")->items) texts.push_back(item.text);
  EXPECT_THAT(texts, ElementsAre("no", "off", "010", "1e3", "1:30:00", "1.10", "yes"));
}

TEST(YamlTreeTest, NodesKnowTheirLines) {
  const YamlDocument document = ReadYaml("# comment\na: 1\n\nb:\n  - x\n  - y\nc: {d: 4}\n");
  ASSERT_THAT(document.problems, IsEmpty());
  EXPECT_EQ(document.root.Find("a")->line, 2);
  EXPECT_EQ(document.root.Find("b")->items[1].line, 6);
  EXPECT_EQ(document.root.Find("c")->Find("d")->line, 7);
  EXPECT_EQ(document.root.Find("e"), nullptr);
}

TEST(YamlTreeTest, DuplicateKeysAreToldWithBothLines) {
  const YamlDocument document =
      ReadYaml("dataset: mini\nseeds: [0, 1]\nmodel:\n  lr: 0.001\n  hidden: 128\n  lr: 0.01\nseeds: [5]\n");
  ASSERT_EQ(document.problems.size(), 2u);
  EXPECT_EQ(document.problems[0].line, 6);
  EXPECT_THAT(document.problems[0].message, HasSubstr("\"lr\" is already at line 4"));
  EXPECT_EQ(document.problems[1].line, 7);
  EXPECT_THAT(document.problems[1].message, HasSubstr("\"seeds\" is already at line 2"));
}

TEST(YamlTreeTest, AQuotedKeyIsTheSameKey) {
  const LineProblem problem = Only(ReadYaml("a: 1\n\"a\": 2\n"));
  EXPECT_EQ(problem.line, 2);
  EXPECT_THAT(problem.message, HasSubstr("already at line 1"));
}

TEST(YamlTreeTest, WhatIsNoUsableDocumentIsRefusedAtItsLine) {
  const struct {
    std::string text;
    int line;
    std::string message;
  } cases[] = {
      {"dataset: mini\nmodel:\n\tlr: 0.001\n", 3, "tab at line 3"},
      {"a:\n  \t- x\n", 2, "tab at line 2"},
      {"", 1, "empty"},
      {"# nothing\n", 1, "empty"},
      {"~\n", 1, "empty"},
      {"dataset: mini\n---\ndataset: other\n", 3, "second document"},
      {"a: &x [1]\nb: *x\n", 2, "aliases"},
      {"a: [1\nb: 2\n", 2, "not YAML"},
      {std::string(2000, '['), 1, "not YAML"},
  };
  for (const auto& [text, line, message] : cases) {
    const YamlDocument document = ReadYaml(text);
    EXPECT_FALSE(document.IsReadable()) << text;
    const LineProblem problem = Only(document);
    EXPECT_THAT(problem.message, HasSubstr(message)) << text;
    if (message != "not YAML") {
      EXPECT_EQ(problem.line, line) << text;
    }
  }
}

}  // namespace
}  // namespace roar
