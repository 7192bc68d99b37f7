#include "datasets/importers/sst.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "datasets/canonical.h"
#include "datasets/importers/sst_tree.h"
#include "tests/datasets/data_folder.h"
#include "tests/datasets/shared_data.h"

namespace roar::datasets {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// The problem of a line that is no tree; "" for one that is.
std::string Fault(const std::string& line) {
  ImportReport report;
  const auto tree = ParseSstTree(line, {.file = "f", .line = 1}, report);
  EXPECT_EQ(tree.has_value(), report.problems().empty()) << line;
  return report.problems().empty() ? "" : report.problems().front().cause;
}

TEST(SstTree, GivesTheRootsLabelAndTheWordsAsWritten) {
  const std::tuple<std::string, int, std::string> cases[] = {
      {"(3 (2 (2 A) (2 writer\\/director)) (3 (2 (1 -LRB-) (2 (2 N\xc3\xa9s) (2 -RRB-))) (3 (2 earns) (3 (2 ``) (2 (3 "
       "\\*\\*\\*) (2 ''))))))",
       3, "A writer\\/director -LRB- N\xc3\xa9s -RRB- earns `` \\*\\*\\* ''"},
      {"(1 (2 It) (1 (1 drags) (2 .)))", 1, "It drags ."},
      {"(2 Fine)", 2, "Fine"},
      {" (0  (1 Not)  (2 good) ) ", 0, "Not good"},
      {"(4 (2 2\xc2\xa0"
       "1\\/2) (4 stars))",
       4,
       "2\xc2\xa0"
       "1\\/2 stars"},
  };
  for (const auto& [line, label, text] : cases) {
    ImportReport report;
    const auto tree = ParseSstTree(line, {}, report);
    ASSERT_TRUE(tree.has_value()) << report.ToStatus();
    EXPECT_EQ(tree->label, label);
    EXPECT_EQ(tree->text, text);
  }
}

TEST(SstTree, EveryFaultIsReportedWithItsColumn) {
  const std::pair<const char*, const char*> cases[] = {
      {"(3 (2 ok) (3 fine))", ""},
      {"(3 (2 missing) (3 close)", "column 25: 1 brackets are not closed"},
      {"(3 (2 like(d)) (3 it))", "column 11: a closing bracket is missing after the word"},
      {"(7 (2 label) (2 range))", "column 2: a label of 0 to 4 is missing after the bracket"},
      {"(1 (2 two)) (1 (2 trees))", "column 13: text after the tree"},
      {"(2 )", "column 4: a word is missing"},
      {"(x (2 a) (2 b))", "column 2: a label of 0 to 4 is missing after the bracket"},
      {"(1 (2 extra) (1 close)))", "column 24: a closing bracket too many"},
      {"(3 (2 last) (3 good))", ""},
      {"3 (2 a)", "column 1: an opening bracket is missing"},
      {"(3(2 a))", "column 3: a blank is missing after the label"},
      {"(3 (2 two words))", "column 10: a closing bracket is missing after the word"},
      {"(3 (2 a) b)", "column 10: an opening bracket is missing"},
      {"(12 (2 a))", "column 3: a blank is missing after the label"},
      {"(3 ", "column 4: a word is missing"},
      {"(3 (2 a", "column 8: 2 brackets are not closed"},
      {"", "column 1: an opening bracket is missing"},
  };
  for (const auto& [line, cause] : cases) EXPECT_EQ(Fault(line), cause) << line;
}

// No cut of a tree is a tree, and none is read beyond its end.
TEST(SstTree, EveryTruncationIsRefused) {
  const std::string tree = "(3 (2 (2 A) (2 film)) (3 (2 that) (4 works)))";
  for (std::size_t size = 0; size < tree.size(); ++size) EXPECT_NE(Fault(tree.substr(0, size)), "") << size;
}

TEST(SstTree, NoDepthIsTooMuch) {
  constexpr int kDepth = 1'000'000;
  std::string tree;
  for (int i = 0; i < kDepth; ++i) tree += "(2 ";
  EXPECT_EQ(Fault(tree + "word" + std::string(kDepth, ')')), "");
  EXPECT_THAT(Fault(tree + "word" + std::string(kDepth - 1, ')')), EndsWith("1 brackets are not closed"));
}

class SstImport : public DataFolder {
 protected:
  void WriteTrees(const std::string& trees) {
    for (const char* name : {"trees/train.txt", "trees/dev.txt", "trees/test.txt"}) Write(name, trees);
  }
  absl::StatusOr<ImportedDataset> Import() { return ImportSst(folder().string()); }
  std::string Message() { return std::string(Import().status().message()); }

  const std::string kTree =
      "(3 (2 (2 A) (2 writer\\/director)) (3 (2 (1 -LRB-) (2 (2 N\xc3\x89s) (2 -RRB-))) (3 (2 "
      "earns) (3 (2 ``) (2 (3 \\*\\*\\*) (3 (2 his) (3 stars)))))))\n";
};

TEST_F(SstImport, CleansTheWords) {
  WriteTrees(kTree);
  const auto imported = Import();
  ASSERT_TRUE(imported.ok()) << imported.status();
  ASSERT_EQ(imported->dataset.splits.at(Split::kTrain).size(), 1);
  const Example& example = imported->dataset.splits.at(Split::kTrain).front();
  EXPECT_THAT(example.tokens, ElementsAre("a", "writer", "director", "n\xc3\xa9s", "earns", "his", "stars"));
  EXPECT_THAT(imported->dataset.labels, ElementsAre("negative", "positive"));
  EXPECT_EQ(example.label, 1);
}

TEST_F(SstImport, NeutralOnesAndThoseOfFiveTokensAreLeftOutAndCounted) {
  const std::string six = "(1 (2 a) (2 (2 b) (2 (2 c) (2 (2 d) (2 (2 e) (1 f))))))\n";
  const std::string five_words_six_leaves = "(4 (2 a) (2 (2 b) (2 (2 c) (2 (2 d) (2 (2 e) (1 .))))))\n";
  const std::string neutral = "(2 (2 a) (2 (2 b) (2 (2 c) (2 (2 d) (2 (2 e) (1 f))))))\n";
  WriteTrees(six + "\n" + five_words_six_leaves + neutral + neutral);
  const auto imported = Import();
  ASSERT_TRUE(imported.ok()) << imported.status();
  for (const auto& [split, examples] : imported->dataset.splits) {
    ASSERT_EQ(examples.size(), 1);
    EXPECT_EQ(examples.front().label, 0);
  }
  EXPECT_THAT(imported->remarks,
              ElementsAre("read as trees", "left out: 6 neutral sentences, and 3 of at most 5 tokens"));
}

TEST_F(SstImport, AllFormsAndOrdersGiveTheSameContent) {
  const std::string first = "(0 (2 A) (1 (2 film) (1 (2 of) (1 (2 no) (1 (2 particular) (1 (2 merit) (2 .)))))))\n";
  const std::string second = "(4 (2 A) (3 (2 film) (3 (2 of) (3 (3 much) (3 (2 ,) (3 (3 great) (3 merit)))))))\n";
  WriteTrees(first + second + "(2 Fine)\n");
  const std::string expected = Encode(Import()->dataset).content_sha256;
  WriteTrees("(2 Fine)\r\n\r\n" + second + first);
  EXPECT_EQ(Encode(Import()->dataset).content_sha256, expected);
  Remove("trees");
  for (const char* part : {"train", "dev", "test"}) {
    WriteGzip(std::string("stsa.fine.") + part + ".gz",
              "\xef\xbb\xbf"
              "4 a film of much , great merit\n2 fine\n0 a film of no particular merit .\n");
  }
  EXPECT_EQ(Encode(Import()->dataset).content_sha256, expected);
  for (const char* part : {"train", "dev", "test"}) {
    Write(std::string("stsa.binary.") + part,
          "1 a film of much , great merit\r\n0 a film of no particular merit .\r\n");
  }
  EXPECT_EQ(Encode(Import()->dataset).content_sha256, expected);
  EXPECT_THAT(Import()->remarks.front(), "read as sentences with two classes");
}

TEST_F(SstImport, BadLinesAreReportedByFileLineAndColumn) {
  WriteTrees(kTree + "(7 (2 label) (2 range))\n\n(2 )\n");
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(), HasSubstr("train.txt:2: column 2: a label of 0 to 4 is missing"));
  EXPECT_THAT(Message(), HasSubstr("test.txt:4: column 4: a word is missing"));
  Remove("trees");
  for (const char* part : {"train", "dev", "test"}) Write(std::string("stsa.binary.") + part, "1 fine\n2 odd\n3\n");
  EXPECT_THAT(Message(), HasSubstr("stsa.binary.train:2: column 1: a label of 0 to 1 and a blank are missing"));
  EXPECT_THAT(Message(), HasSubstr("stsa.binary.train:3: column 1"));
}

TEST_F(SstImport, FilesThatAreMissingDoubleOrEmptyAreNamed) {
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ImportSst((folder() / "absent").string()).status().code(), absl::StatusCode::kNotFound);
  WriteTrees(kTree);
  Remove("trees/dev.txt");
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(), HasSubstr("trees/dev.txt[.gz] is missing"));
  Write("trees/dev.txt", "\n");
  EXPECT_THAT(Message(), HasSubstr("dev.txt:1: no sentence to keep"));
  WriteGzip("trees/dev.txt.gz", kTree);
  EXPECT_THAT(Message(), HasSubstr("could be meant; remove one"));
}

TEST(RealSst, HasThePublishedSizesAndAllFormsAreTheSame) {
  ROAR_SKIP_WITHOUT_SHARED_SST();
  const auto trees = ImportSst((SharedSst() / "ptb").string());
  ASSERT_TRUE(trees.ok()) << trees.status();
  // Of 6920, 872 and 1821 that are not neutral, those of more than 5 tokens.
  EXPECT_EQ(trees->dataset.splits.at(Split::kTrain).size(), 6356);
  EXPECT_EQ(trees->dataset.splits.at(Split::kValidation).size(), 822);
  EXPECT_EQ(trees->dataset.splits.at(Split::kTest).size(), 1726);
  constexpr int kNeutral = (8544 - 6920) + (1101 - 872) + (2210 - 1821);
  constexpr int kShort = (6920 - 6356) + (872 - 822) + (1821 - 1726);
  EXPECT_EQ(trees->remarks.back(), "left out: " + std::to_string(kNeutral) + " neutral sentences, and " +
                                       std::to_string(kShort) + " of at most 5 tokens");
  const auto sentences = ImportSst((SharedSst() / "stsa").string());
  ASSERT_TRUE(sentences.ok()) << sentences.status();
  EXPECT_EQ(sentences->remarks.front(), "read as sentences with two classes");
  EXPECT_EQ(Encode(trees->dataset).content_sha256, Encode(sentences->dataset).content_sha256);
}

}  // namespace
}  // namespace roar::datasets
