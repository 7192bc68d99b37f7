#include "datasets/importers/babi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "datasets/importers/importers.h"
#include "datasets/summary.h"
#include "datasets/text/babi_examples.h"
#include "datasets/text/vocabulary.h"
#include "tests/datasets/data_folder.h"
#include "tests/datasets/shared_data.h"
#include "tests/datasets/story_reader.h"

namespace roar::datasets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<BabiQuestion> Parse(const std::string& text) {
  ImportReport report;
  std::vector<BabiQuestion> questions = ParseBabi(text, "qa.txt", report);
  EXPECT_TRUE(report.ToStatus().ok()) << report.ToStatus();
  return questions;
}

// Lines and causes that the report of a text holds.
std::vector<std::pair<std::int64_t, std::string>> Problems(const std::string& text) {
  ImportReport report;
  ParseBabi(text, "qa.txt", report);
  std::vector<std::pair<std::int64_t, std::string>> problems;
  for (const ImportProblem& problem : report.problems()) problems.emplace_back(problem.line, problem.cause);
  return problems;
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(BabiFormat, ReadsEveryShapeOfRealFiles) {
  const std::vector<BabiQuestion> questions = Parse(
      "1 Mary moved to the bathroom.\n"
      "2 John went to the hallway.\n"
      "3 Where is Mary? \tbathroom\t1\n"
      "4 Daniel went back to the hallway.\n"
      "5 Where is Daniel? \thallway\t4\n"
      "1 John took the apple.\n"
      "2 John took the milk.\n"
      "3 What is John carrying?\tapple,milk\t1 2\n"
      "4 Is Mr. Smith in the park?\tno\t\n"
      "1 Sandra is in the park or the office\n"
      "2 Where is Sandra?\tmaybe\n");
  ASSERT_EQ(questions.size(), 5);
  EXPECT_EQ(Join(questions[0].story), "Mary moved to the bathroom . John went to the hallway");
  EXPECT_EQ(Join(questions[1].story),
            "Mary moved to the bathroom . John went to the hallway . Daniel went back to the hallway");
  EXPECT_EQ(Join(questions[2].story), "John took the apple . John took the milk");
  EXPECT_EQ(questions[3].story, questions[2].story);
  EXPECT_EQ(Join(questions[4].story), "Sandra is in the park or the office");
  EXPECT_EQ(Join(questions[0].question), "Where is Mary");
  EXPECT_EQ(Join(questions[3].question), "Is Mr. Smith in the park");
  EXPECT_EQ(questions[2].answer, "apple,milk");
  EXPECT_EQ(questions[4].answer, "maybe");
  EXPECT_EQ(questions[4].line, 11);
}

TEST(BabiFormat, ByteOrderMarkCrlfAndBlankLinesLeaveNoTrace) {
  const std::vector<BabiQuestion> questions = Parse(
      "\xef\xbb\xbf"
      "1 Mary moved to the office.\r\n\r\n2 Where is Mary? \toffice\t1\r\n \n");
  ASSERT_EQ(questions.size(), 1);
  EXPECT_EQ(Join(questions[0].story), "Mary moved to the office");
  EXPECT_EQ(questions[0].question, (std::vector<std::string>{"Where", "is", "Mary"}));
  EXPECT_EQ(questions[0].answer, "office");
  EXPECT_EQ(questions[0].line, 3);
}

TEST(BabiFormat, EveryFaultIsReportedWithItsLine) {
  const auto problems = Problems(
      "2 Starts at two.\n"
      "3 Where is Mary? \toffice\t1\n"
      "no number here\n"
      "1 Mary moved.\n"
      "2 Where is Mary? \toffice\t9\n"
      "3 Where is Mary? office 1\n");
  EXPECT_THAT(problems, ElementsAre(std::pair(1, "line number 2 after 0; expected 1, or 1 for a new story"),
                                    std::pair(2, "supporting line \"1\" is no earlier statement of the story"),
                                    std::pair(3, "no line number before \"no number here\""),
                                    std::pair(5, "supporting line \"9\" is no earlier statement of the story"),
                                    std::pair(6,
                                              "a question without a TAB before its answer (are there spaces for "
                                              "tabs?)")));
}

TEST(BabiFormat, FaultsOfEachKind) {
  const std::tuple<const char*, std::int64_t, const char*> cases[] = {
      {"1 A moved.\n3 B moved.\n4 Where is A?\toffice\n", 2, "line number 3 after 1; expected 2"},
      {"1 A moved.\n1A moved.\n", 2, "no line number"},
      {"1 A moved.\n2 Where is A?\toffice\n3 Where is", 3, "the file ends in the middle of a story"},
      {"1 A moved.\n-2 B moved.\n", 2, "no line number"},
      {"1 A moved.\n99999999999999999999 B moved.\n", 2, "no line number"},
      {"1 .\n", 1, "an empty statement"},
      {"1\n", 1, "an empty statement"},
      {"1 A moved.\n2 ?\toffice\t1\n", 2, "an empty question"},
      {"1 A moved.\n2 Where is A? \t \t1\n", 2, "a question without an answer"},
      {"1 Where is A?\toffice\n", 1, "a question before any statement"},
      {"1 A moved.\n2 Where is A?\toffice\t1\t1\n", 2, "4 columns"},
      {"1 A moved.\n2 Where is A?\toffice\t1\n3 Where is A?\toffice\t2\n", 3, "supporting line \"2\""},
      {"1 A moved.\n2 Where is A?\toffice\t3\n3 B moved.\n4 Where is B?\toffice\n", 2, "supporting line \"3\""},
      {"1 A moved.\n2 Where is A?\toffice\tone\n", 2, "supporting line \"one\""},
      {"1 \x1b[2J moved?\n", 1, "a question without a TAB"},
      {"\x1b[2J\n", 1, "no line number before \"\\x1b[2J\""},
  };
  for (const auto& [text, line, cause] : cases) {
    const auto problems = Problems(text);
    ASSERT_EQ(problems.size(), 1) << text;
    EXPECT_EQ(problems[0].first, line) << text;
    EXPECT_THAT(problems[0].second, HasSubstr(cause)) << text;
  }
}

TEST(BabiFormat, WhatIsNoUtf8TextIsRefusedWithAHint) {
  const std::pair<std::string, const char*> cases[] = {
      {std::string("\xff\xfe"
                   "1\0 \0A\0",
                   8),
       "qa.txt:1: looks like UTF-16, convert to UTF-8"},
      {std::string("\xfe\xff\0"
                   "1\0 ",
                   6),
       "qa.txt:1: looks like UTF-16, convert to UTF-8"},
      {std::string("1\0 \0A\0", 6), "qa.txt:1: byte 2: a NUL byte; if the file is UTF-16, convert it to UTF-8"},
      {"1 A moved.\n2 caf\xe9 moved.\n", "qa.txt:2: byte 6: not UTF-8; convert the file to UTF-8"},
      {"1 \xc0\xaf", "qa.txt:1: byte 3: not UTF-8; convert the file to UTF-8"},
      {"1 \xe0\x9f\xbf", "qa.txt:1: byte 3: not UTF-8; convert the file to UTF-8"},
      {"1 \xed\xa0\x80", "qa.txt:1: byte 3: not UTF-8; convert the file to UTF-8"},
      {"1 \xf4\x90\x80\x80", "qa.txt:1: byte 3: not UTF-8; convert the file to UTF-8"},
      {"1 \xe2\x82", "qa.txt:1: byte 3: not UTF-8; convert the file to UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    ImportReport report;
    EXPECT_TRUE(ParseBabi(text, "qa.txt", report).empty());
    EXPECT_EQ(report.ToStatus().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(report.ToStatus().message(), message);
  }
  EXPECT_EQ(Join(Parse("1 Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x8e\x89 moved.\n2 Where?\there\n")[0].story),
            "Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x8e\x89 moved");
}

TEST(ImportReport, ShowsTenProblemsAndCountsTheRestInOneLine) {
  ImportReport report;
  for (int line = 1; line <= 12; ++line) report.Add({.file = "f", .line = line, .cause = "wrong"});
  const std::string message(report.ToStatus().message());
  EXPECT_THAT(message, testing::StartsWith("f:1: wrong; f:2: wrong; "));
  EXPECT_THAT(message, testing::EndsWith("f:10: wrong; and 2 more"));
}

class BabiImport : public DataFolder {
 protected:
  absl::StatusOr<Dataset> Import() {
    auto imported = ImportBabi(1, folder().string());
    if (!imported.ok()) return imported.status();
    return std::move(imported->dataset);
  }

  const std::string kStory = "1 Mary moved to the office.\n2 Where is Mary? \toffice\t1\n";
};

TEST_F(BabiImport, GzipAndPlainAreTheSame) {
  Write("qa1_a_train.txt", kStory);
  Write("qa1_a_test.txt", kStory);
  const auto plain = Import();
  ASSERT_TRUE(plain.ok()) << plain.status();
  std::filesystem::remove(folder() / "qa1_a_train.txt");
  WriteGzip("qa1_a_train.txt.gz", kStory);
  EXPECT_EQ(*Import(), *plain);
}

TEST_F(BabiImport, EveryCutOrDamagedGzipIsRefused) {
  WriteGzip("qa1_a_train.txt.gz", kStory);
  Write("qa1_a_test.txt", kStory);
  const std::string bytes = Read("qa1_a_train.txt.gz");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Write("qa1_a_train.txt.gz", bytes.substr(0, size));
    EXPECT_FALSE(Import().ok()) << size;
  }
  constexpr std::size_t kTrailerBytes = 8;
  for (std::size_t i = bytes.size() - kTrailerBytes; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    Write("qa1_a_train.txt.gz", damaged);
    EXPECT_EQ(Import().status().code(), absl::StatusCode::kInvalidArgument) << i;
  }
}

TEST_F(BabiImport, AnUnknownAnswerIsNamedAndNothingIsImported) {
  Write("qa1_a_train.txt", kStory + "3 What is Mary carrying?\tapple,milk\n");
  Write("qa1_a_test.txt", kStory + "3 Where is Mary?\tOffice\n");
  const auto imported = Import();
  EXPECT_EQ(imported.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string message(imported.status().message());
  EXPECT_THAT(message, HasSubstr("qa1_a_train.txt:3: answer \"apple,milk\" is not one of the 36 labels"));
  EXPECT_THAT(message, HasSubstr("qa1_a_test.txt:3: answer \"Office\" is not one of the 36 labels"));
}

TEST_F(BabiImport, FilesWithoutQuestionsAreRefused) {
  Write("qa1_a_train.txt", kStory);
  Write("qa1_a_test.txt", "");
  EXPECT_THAT(std::string(Import().status().message()), HasSubstr("qa1_a_test.txt:1: no question"));
}

TEST_F(BabiImport, MissingFilesAreNamed) {
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ImportBabi(1, (folder() / "absent").string()).status().code(), absl::StatusCode::kNotFound);
  Write("qa1_a_test.txt", kStory);
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(Import().status().message()), HasSubstr("qa1_*_train.txt[.gz] is missing"));
}

TEST_F(BabiImport, TwoCandidatesAreRefused) {
  Write("qa1_a_train.txt", kStory);
  WriteGzip("qa1_a_train.txt.gz", kStory);
  Write("qa1_a_test.txt", kStory);
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(BabiImport, OtherTasksFilesAreNotTaken) {
  Write("qa1_a_train.txt", kStory);
  Write("qa1_a_test.txt", kStory);
  Write("qa11_a_train.txt", "rubbish");
  Write("qa1_a_train.txt.bak", "rubbish");
  EXPECT_TRUE(Import().ok());
}

TEST_F(BabiImport, TheLargeVersionIsNeverSilentlyReplaced) {
  for (const char* name : {"en/qa1_a_train.txt", "en/qa1_a_test.txt", "en-10k/qa1_a_test.txt"}) Write(name, kStory);
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  Write("en-10k/qa1_a_train.txt", kStory + kStory);
  EXPECT_EQ(Import()->splits.at(Split::kTrain).size(), 2);
  std::filesystem::remove_all(folder() / "en-10k");
  // The 1k version is another data set: it is taken only where it is named.
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
}

TEST(BabiSplit, ValidationIsFifteenPercentOfTrainAndBothKeepTheirOrder) {
  std::vector<Example> train(200);
  for (std::size_t i = 0; i < train.size(); ++i) train[i].tokens = {std::to_string(1000 + i)};
  const Dataset dataset = AssembleBabi(train, {train[0]});
  const std::vector<Example>& kept = dataset.splits.at(Split::kTrain);
  const std::vector<Example>& validation = dataset.splits.at(Split::kValidation);
  EXPECT_EQ(kept.size(), 170);
  EXPECT_EQ(validation.size(), 30);
  const auto by_word = [](const Example& a, const Example& b) { return a.tokens < b.tokens; };
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), by_word));
  EXPECT_TRUE(std::is_sorted(validation.begin(), validation.end(), by_word));
  std::vector<Example> all;
  std::merge(kept.begin(), kept.end(), validation.begin(), validation.end(), std::back_inserter(all), by_word);
  EXPECT_EQ(all, train);
  // A shuffle and not a block: validation comes from all over the file.
  EXPECT_LT(validation.front().tokens[0], "1050");
  EXPECT_GT(validation.back().tokens[0], "1150");
}

TEST(Importers, AreFoundByName) {
  EXPECT_EQ(Importers().size(), 4);
  for (const Importer& importer : Importers()) EXPECT_EQ(FindImporter(importer.name), &importer);
  EXPECT_EQ(FindImporter("babi-4"), nullptr);
}

absl::StatusOr<Dataset> ImportReal(const std::string& name, const std::string& path) {
  auto imported = FindImporter(name)->import_from(path);
  if (!imported.ok()) return imported.status();
  return std::move(imported->dataset);
}

TEST(RealBabi, Task1HasThePublishedSizesWordsAndLabels) {
  ROAR_SKIP_WITHOUT_SHARED_BABI();
  const auto dataset = ImportReal("babi-1", SharedBabi().string());
  ASSERT_TRUE(dataset.ok()) << dataset.status();
  const std::map<Split, SplitSummary> summary = Summarize(*dataset);
  EXPECT_EQ(summary.at(Split::kTrain).examples, 8500);
  EXPECT_EQ(summary.at(Split::kValidation).examples, 1500);
  EXPECT_EQ(summary.at(Split::kTest).examples, 1000);
  EXPECT_EQ(dataset->labels.size(), 36);
  ASSERT_EQ(summary.at(Split::kTest).labels.size(), 6);
  for (const auto& [label, count] : summary.at(Split::kTest).labels) {
    EXPECT_GE(count, 149) << label;
    EXPECT_LE(count, 187) << label;
  }
  // 4 actors, 6 places, 5 words of moving, "to", "the", "Where", "is", "."; and the specials.
  EXPECT_EQ(Vocabulary::FromTrainSplit(*dataset).size(), 20 + 5);
  const Example& first = dataset->splits.at(Split::kTest).front();
  EXPECT_EQ(Join(first.tokens), "John travelled to the hallway . Mary journeyed to the bathroom");
  EXPECT_EQ(Join(first.second_tokens), "Where is John");
  EXPECT_EQ(dataset->labels[static_cast<std::size_t>(first.label)], "hallway");
}

TEST(RealBabi, Task2HasThePublishedSizesAndWords) {
  ROAR_SKIP_WITHOUT_SHARED_BABI();
  const auto dataset = ImportReal("babi-2", (SharedBabi() / "en-10k").string());
  ASSERT_TRUE(dataset.ok()) << dataset.status();
  EXPECT_EQ(dataset->splits.at(Split::kTrain).size(), 8500);
  EXPECT_EQ(dataset->splits.at(Split::kTest).size(), 1000);
  EXPECT_EQ(Vocabulary::FromTrainSplit(*dataset).size(), 34 + 5);
}

TEST(RealBabi, Task3IsImportedFromTheSmallVersionWhenThatIsNamed) {
  ROAR_SKIP_WITHOUT_SHARED_BABI();
  const auto dataset = ImportReal("babi-3", (SharedBabi() / "en").string());
  ASSERT_TRUE(dataset.ok()) << dataset.status();
  EXPECT_EQ(dataset->splits.at(Split::kTrain).size(), 850);
  EXPECT_EQ(dataset->splits.at(Split::kValidation).size(), 150);
  EXPECT_EQ(Vocabulary::FromTrainSplit(*dataset).size(), 35 + 5);
}

// The importer lost no statement and mixed no story: a replay of the words gives the file's answers.
TEST(RealBabi, AnswersFollowFromTheStories) {
  ROAR_SKIP_WITHOUT_SHARED_BABI();
  for (const char* name : {"babi-1", "babi-2", "babi-3"}) {
    const auto dataset = ImportReal(name, (SharedBabi() / "en").string());
    ASSERT_TRUE(dataset.ok()) << dataset.status();
    for (const auto& [split, examples] : dataset->splits) {
      for (const Example& example : examples) {
        ASSERT_EQ(AnswerByReplay(ReadStory(example.tokens), example.second_tokens),
                  dataset->labels[static_cast<std::size_t>(example.label)])
            << name << ": " << Join(example.tokens) << " / " << Join(example.second_tokens);
      }
    }
  }
}

}  // namespace
}  // namespace roar::datasets
