#include "datasets/importers/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

namespace roar::datasets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Texts = std::vector<std::vector<std::string>>;

Table ReadSound(const char* format, const std::string& text) {
  ImportReport report;
  Table table = FindTableFormat(format)->read(text, "f", report);
  EXPECT_TRUE(report.problems().empty()) << report.ToStatus();
  return table;
}

Texts TextsOf(const Table& table) {
  Texts texts;
  for (const Row& row : table.rows) {
    texts.emplace_back();
    for (const Field& field : row.fields) texts.back().push_back(field.text);
  }
  return texts;
}

std::vector<std::string> Problems(const char* format, const std::string& text) {
  ImportReport report;
  FindTableFormat(format)->read(text, "f", report);
  std::vector<std::string> problems;
  for (const ImportProblem& problem : report.problems()) {
    problems.push_back(std::to_string(problem.line) + ": " + problem.cause);
  }
  return problems;
}

TEST(Tsv, QuotesAreOrdinaryCharacters) {
  const Table table = ReadSound("tsv",
                                "id\ttext\tlabel\n1\tabc\tpos\n2\t\"abc\"\tneg\n3\t\"starts but never ends\tpos\n"
                                "4\the said 5\" wide\tneg\n5\tlast\"\tpos\n");
  ASSERT_EQ(table.rows.size(), 6);
  EXPECT_THAT(TextsOf(table)[3], ElementsAre("3", "\"starts but never ends", "pos"));
  EXPECT_THAT(TextsOf(table)[5], ElementsAre("5", "last\"", "pos"));
}

TEST(Tsv, ByteOrderMarkCrlfAndBlankLinesLeaveNoTrace) {
  const Table table = ReadSound("tsv",
                                "\xef\xbb\xbf"
                                "a\tb\r\n\r\nc\t\r\n");
  EXPECT_EQ(TextsOf(table), (Texts{{"a", "b"}, {"c", ""}}));
  EXPECT_EQ(table.rows[1].line, 3);
}

TEST(Tsv, RowsOfAnotherLengthAreReported) {
  EXPECT_THAT(Problems("tsv", "a\tb\n1\n1\t2\n1\t2\t3\n"), ElementsAre("2: number of columns: 1, in the first row 2",
                                                                       "4: number of columns: 3, in the first row 2"));
}

TEST(Csv, RecordsAreNotLines) {
  const Table table = ReadSound("csv",
                                "label,text,notes\r\npos,\"First line\nsecond line\",n1\r\nneg,\"He said \"\"no\"\", "
                                "twice\",\r\npos,\"comma, inside\",n3\r\nneg,\"ends with newline\r\n\",n4\r\n"
                                "pos,plain,\"multi\n\nblank\"\r\n");
  EXPECT_EQ(TextsOf(table), (Texts{{"label", "text", "notes"},
                                   {"pos", "First line\nsecond line", "n1"},
                                   {"neg", "He said \"no\", twice", ""},
                                   {"pos", "comma, inside", "n3"},
                                   {"neg", "ends with newline\r\n", "n4"},
                                   {"pos", "plain", "multi\n\nblank"}}));
  EXPECT_EQ(table.rows[2].line, 4);
  EXPECT_EQ(table.rows[5].line, 8);
}

TEST(Csv, ByteOrderMarkQuotedHeaderAndBlankLines) {
  const Table table = ReadSound("csv",
                                "\xef\xbb\xbf"
                                "\"label\",\"text\"\r\n\r\n\"pos\",\"good one\"\r\n\n\"neg\",\"\"");
  EXPECT_EQ(TextsOf(table), (Texts{{"label", "text"}, {"pos", "good one"}, {"neg", ""}}));
}

TEST(Csv, FaultsAreReportedWhereTheQuoteOpened) {
  EXPECT_THAT(Problems("csv", "id,text,label\n1,abc,pos\n2,\"never closed,neg\n3,abc,pos\n4,def,neg\n"),
              ElementsAre("3: the quote that opens here is never closed"));
  EXPECT_THAT(Problems("csv", "a,b\n1,\"open\n2,\"x\"\n3,y\n"),
              ElementsAre("2: the quote that opens here closes on line 3 before more text; double the quotes in a "
                          "field"));
  EXPECT_THAT(Problems("csv", "a,b\n1,5\" wide\n2\n"),
              ElementsAre(HasSubstr("2: a quote inside a field without quotes"),
                          "3: number of columns: 1, in the first row 2"));
}

TEST(Tables, NulBytesBrokenUtf8AndUtf16AreNamedByPlace) {
  const std::string nul = std::string("label,text\npos,before") + '\0' + "after\nneg,\"quoted" + '\0' + "\"\npos,ok\n";
  EXPECT_THAT(Problems("csv", nul), ElementsAre(HasSubstr("2: byte 11: a NUL byte"), HasSubstr("3: byte 12: a NUL")));
  EXPECT_THAT(Problems("tsv", "a\tb\nbad \xff\tb\n"), ElementsAre("2: byte 5: not UTF-8; convert the file to UTF-8"));
  for (const char* format : {"tsv", "csv", "jsonl"}) {
    EXPECT_THAT(Problems(format, std::string("\xff\xfel\0a\0", 6)),
                ElementsAre("1: looks like UTF-16, convert to UTF-8"));
  }
}

TEST(Jsonl, GoodRowsAreReadAndEveryOddOneIsReportedOnce) {
  const std::string text =
      "{\"label\":0,\"text\":\"good\"}\n"
      "\n"
      "{\"label\":0,\"text\":\"lone \\ud83d surrogate\"}\n"
      "{\"label\":1,\"text\":\"pair \\ud83d\\ude00 ok\"}\n"
      "{\"label\":0,\"label\":1,\"text\":\"duplicate key\"}\n"
      "{\"id\":9007199254740993,\"label\":0,\"text\":\"big id\"}\n"
      "{\"label\":NaN,\"text\":\"nan label\"}\n"
      "{\"label\":1,\"text\":\"bad utf8 \xff\"}\n"
      "{\"label\":1,\"text\":\"trailing comma\",}\n"
      "[{\"label\":1,\"text\":\"array row\"}]\n"
      "{\"label\":1,\"text\":\"no newline at end\"}";
  ImportReport report;
  const Table table = ReadJsonl(text, "f", report);
  EXPECT_THAT(table.keys, ElementsAre("label", "text", "id"));
  EXPECT_EQ(TextsOf(table), (Texts{{"0", "good", ""},
                                   {"1", "pair \xf0\x9f\x98\x80 ok", ""},
                                   {"0", "big id", "9007199254740993"},
                                   {"1", "no newline at end", ""}}));
  EXPECT_EQ(table.rows[3].line, 11);
  EXPECT_THAT(Problems("jsonl", text),
              ElementsAre(HasSubstr("8: byte 29: not UTF-8"), HasSubstr("3: not JSON, at byte"),
                          "5: the key \"label\" stands twice", HasSubstr("7: not JSON, at byte"),
                          HasSubstr("9: not JSON, at byte"), "10: not an object but array"));
}

TEST(Jsonl, KindsOfFieldsAreTold) {
  const Table table = ReadSound("jsonl",
                                "\xef\xbb\xbf{\"a\":\"a\\u0000b\",\"b\":null}\r\n{\"b\":1.5,\"c\":-3}\r\n"
                                "{\"b\":true,\"c\":[1,{\"c\":2}]}\n");
  EXPECT_EQ(table.keys, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(table.rows[0].fields[0], (Field{Field::Kind::kText, std::string("a\0b", 3)}));
  EXPECT_EQ(table.rows[0].fields[1], (Field{Field::Kind::kOther, "null"}));
  EXPECT_EQ(table.rows[0].fields[2].kind, Field::Kind::kAbsent);
  EXPECT_EQ(table.rows[1].fields[0].kind, Field::Kind::kAbsent);
  EXPECT_EQ(table.rows[1].fields[1], (Field{Field::Kind::kOther, "a fraction"}));
  EXPECT_EQ(table.rows[1].fields[2], (Field{Field::Kind::kInteger, "-3"}));
  EXPECT_EQ(table.rows[2].fields[1], (Field{Field::Kind::kOther, "boolean"}));
  EXPECT_EQ(table.rows[2].fields[2], (Field{Field::Kind::kOther, "array"}));
}

TEST(Jsonl, RawNulAndNumbersBeyondAllAreErrors) {
  EXPECT_THAT(Problems("jsonl", std::string("{\"a\":1}\n{\"a\":\"raw") + '\0' + "nul\"}\n"),
              ElementsAre(HasSubstr("2: byte 10: a NUL byte")));
  EXPECT_THAT(Problems("jsonl", "{\"a\":1e999}\n"), ElementsAre("1: not JSON: a number is too large"));
}

std::string WriteCsv(const Texts& rows, const std::string& line_end) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += '"';
      for (const char c : row[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    text += line_end;
  }
  return text;
}

RC_GTEST_PROP(Csv, WhatIsWrittenInQuotesIsReadBack, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  const auto field = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab ,\"\r\n\t\\")));
  const auto rows = *rc::gen::container<Texts>(rc::gen::container<std::vector<std::string>>(columns, field));
  const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n");
  ImportReport report;
  RC_ASSERT(TextsOf(ReadCsv(WriteCsv(rows, line_end), "f", report)) == rows);
  RC_ASSERT(report.problems().empty());
}

RC_GTEST_PROP(Csv, AnyTextIsReadOrReportedWithItsLine, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,\"\r\n")));
  ImportReport report;
  ReadCsv(text, "f", report);
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const ImportProblem& problem : report.problems()) RC_ASSERT(problem.line >= 1 && problem.line <= lines);
}

}  // namespace
}  // namespace roar::datasets
