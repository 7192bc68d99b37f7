#include "datasets/importers/table_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace roar::datasets {
namespace {

using ::testing::HasSubstr;

struct Choice {
  std::optional<Columns> columns;
  std::string fault;
};

Choice Choose(const std::string& tsv, const ColumnNames& names = {}, bool needs_split = false) {
  ImportReport report;
  const Table table = ReadTsv(tsv, "f", report);
  EXPECT_TRUE(report.problems().empty());
  Choice choice = {.columns = ChooseColumns(table, names, needs_split, "f", report)};
  EXPECT_EQ(choice.columns.has_value(), report.problems().empty());
  if (!report.problems().empty()) choice.fault = report.problems().front().cause;
  return choice;
}

std::string Described(const std::string& tsv, const ColumnNames& names = {}, bool needs_split = false) {
  const Choice choice = Choose(tsv, names, needs_split);
  EXPECT_TRUE(choice.columns.has_value()) << choice.fault;
  return choice.columns ? Describe(*choice.columns) : "";
}

TEST(Columns, AreFoundByTheirUsualNamesInAnyOrderAndCase) {
  EXPECT_EQ(Described("id\ttext\tlabel\n"), "label from \"label\", text from \"text\"");
  EXPECT_EQ(Described(" Review \tCLASS\n"), "label from \"CLASS\", text from \" Review \"");
  EXPECT_EQ(Described("premise\thypothesis\tgold_label\n"),
            "label from \"gold_label\", text from \"premise\", second text from \"hypothesis\"");
  EXPECT_EQ(Described("document\ttarget\tpartition\n", {}, true),
            "label from \"target\", text from \"document\", split from \"partition\"");
}

TEST(Columns, AreNamedByOptions) {
  EXPECT_EQ(Described("stars\tbody\n5\tgood\n", {.label = "stars", .text = "body"}),
            "label from \"stars\", text from \"body\"");
  EXPECT_EQ(Described("label\ttext\tbody\n", {.text = "body"}), "label from \"label\", text from \"body\"");
  EXPECT_EQ(Described("a\tb\tc\td\n", {"c", "a", "d", "b"}, true),
            "label from \"c\", text from \"a\", second text from \"d\", split from \"b\"");
}

TEST(Columns, NumbersNameThemWithoutAHeader) {
  const Choice choice = Choose("great\t1\nbad\t0\n", {.label = "2", .text = "1"});
  ASSERT_TRUE(choice.columns.has_value()) << choice.fault;
  EXPECT_FALSE(choice.columns->has_header);
  EXPECT_EQ(choice.columns->label, 1);
  EXPECT_EQ(choice.columns->text, 0);
  EXPECT_THAT(Choose("text\tlabel\nx\ty\n", {.label = "2", .text = "1"}).fault, HasSubstr("a header: \"text\""));
  EXPECT_THAT(Choose("a\tb\n", {.label = "3", .text = "1"}).fault, HasSubstr("--label: no column \"3\" among"));
}

TEST(Columns, WithoutHeaderOnlyWhatCannotBeMeantOtherwiseIsTaken) {
  const Choice one = Choose("pos\tgood\nneg\tbad\npos\tfine\nneg\tdull\n");
  ASSERT_TRUE(one.columns.has_value()) << one.fault;
  EXPECT_FALSE(one.columns->has_header);
  EXPECT_EQ(Describe(*one.columns), "label from \"1\", text from \"2\"");
  EXPECT_EQ(Described("1\ta\tq\n0\tb\tr\n1\tc\ts\n0\td\tt\n"),
            "label from \"1\", text from \"2\", second text from \"3\"");
  const char* ambiguous[] = {
      "sentiment\tcomment\npos\tgood\nneg\tbad\npos\tfine\nneg\tdull\n",  // a header with other names
      "good\tpos\nbad\tneg\nfine\tpos\ndull\tneg\n",                      // the other way round
      "pos\tgood\nneg\tbad\n",                                            // no label repeats itself
      "a\tx\na\tx\nb\ty\nb\ty\n",                                         // both columns repeat themselves
      "1\ta\tb\tc\n1\td\te\tf\n",                                         // four columns
      "only\nonly\n",
  };
  for (const char* tsv : ambiguous) {
    EXPECT_THAT(Choose(tsv).fault, HasSubstr("name the columns with --label and --text")) << tsv;
  }
  EXPECT_THAT(Choose("pos\tgood\nneg\tbad\npos\tfine\nneg\tdull\n", {}, true).fault, HasSubstr("--label and --text"));
}

TEST(Columns, WhatIsMissingOrDoubleIsNamedWithItsOption) {
  EXPECT_THAT(Choose("label\tcomment\n").fault,
              HasSubstr("no column for the text among \"label\", \"comment\"; name it with --text"));
  EXPECT_THAT(Choose("sentiment\ttext\n").fault, HasSubstr("no column for the label"));
  EXPECT_THAT(Choose("label\tclass\ttext\n").fault,
              HasSubstr("\"label\" and \"class\" could both be the label; name it with --label"));
  EXPECT_THAT(Choose("label\ttext\ttext2\tquestion\n").fault, HasSubstr("name it with --second-text"));
  EXPECT_THAT(Choose("label\ttext\n", {}, true).fault, HasSubstr("no column for the split"));
  EXPECT_THAT(Choose("label\ttext\n", {.text = "Text"}).fault, HasSubstr("--text: no column \"Text\" among"));
  EXPECT_THAT(Choose("label\ttext\n", {.text = "label"}).fault, HasSubstr("cannot be two things"));
  EXPECT_THAT(Choose("").fault, HasSubstr("no rows"));
}

}  // namespace
}  // namespace roar::datasets
