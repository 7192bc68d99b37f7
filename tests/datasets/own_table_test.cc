#include "datasets/importers/own_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>

#include "datasets/canonical.h"
#include "datasets/importers/label_names.h"
#include "tests/datasets/data_folder.h"

namespace roar::datasets {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OwnTable : public DataFolder {
 protected:
  absl::StatusOr<ImportedDataset> Import(const OwnTableOptions& options = {}) {
    return ImportOwnTable(folder().string(), options);
  }
  absl::StatusOr<ImportedDataset> ImportFile(const std::string& name, const OwnTableOptions& options = {}) {
    return ImportOwnTable((folder() / name).string(), options);
  }
  ImportedDataset Sound(const OwnTableOptions& options = {}) {
    auto imported = Import(options);
    EXPECT_TRUE(imported.ok()) << imported.status();
    return imported.ok() ? *std::move(imported) : ImportedDataset{};
  }
  std::string Message(const OwnTableOptions& options = {}) { return std::string(Import(options).status().message()); }
  void WriteAll(const std::string& ending, const std::string& text) {
    for (const char* part : {"train", "dev", "test"}) Write(part + ending, text);
  }

  const std::string kRows = "pos\tA good film\nneg\tA bad one\npos\tSo so\nneg\tNo\n";
};

TEST_F(OwnTable, LabelsAreSortedTextsAreWordsAndRowsKeepTheirOrder) {
  WriteAll(".tsv", "Label\tText\n" + kRows);
  const ImportedDataset imported = Sound();
  EXPECT_THAT(imported.dataset.labels, ElementsAre("neg", "pos"));
  EXPECT_FALSE(imported.dataset.has_second_sequence);
  const std::vector<Example>& train = imported.dataset.splits.at(Split::kTrain);
  ASSERT_EQ(train.size(), 4);
  EXPECT_THAT(train[0].tokens, ElementsAre("a", "good", "film"));
  EXPECT_EQ(train[0].label, 1);
  EXPECT_THAT(train[3].tokens, ElementsAre("no"));
  EXPECT_EQ(train[3].label, 0);
  EXPECT_THAT(imported.remarks, ElementsAre("train.tsv: label from \"Label\", text from \"Text\"",
                                            "dev.tsv: label from \"Label\", text from \"Text\"",
                                            "test.tsv: label from \"Label\", text from \"Text\""));
}

TEST_F(OwnTable, AllFormatsPlainOrGzipGiveTheSameContent) {
  WriteAll(".tsv", "label\ttext\n" + kRows);
  const std::string expected = Encode(Sound().dataset).content_sha256;
  for (const char* part : {"train", "dev", "test"}) {
    Remove(std::string(part) + ".tsv");
    WriteGzip(std::string(part) + ".tsv.gz", "label\ttext\n" + kRows);
  }
  EXPECT_EQ(Encode(Sound().dataset).content_sha256, expected);
  for (const char* part : {"train", "dev", "test"}) Remove(std::string(part) + ".tsv.gz");
  WriteAll(".csv", "text,label\r\n\"A good film\",pos\r\nA bad one,neg\r\nSo so,pos\r\n\"No\",neg\r\n");
  EXPECT_EQ(Encode(Sound().dataset).content_sha256, expected);
  for (const char* part : {"train", "dev", "test"}) Remove(std::string(part) + ".csv");
  for (const char* part : {"train", "validation", "test"}) {
    Write(std::string(part) + ".jsonl",
          "{\"sentence\": \"A good film\", \"label\": \"pos\"}\n{\"label\": \"neg\", \"sentence\": \"A bad one\"}\n"
          "{\"label\": \"pos\", \"sentence\": \"So so\"}\n{\"label\": \"neg\", \"sentence\": \"No\"}");
  }
  EXPECT_EQ(Encode(Sound().dataset).content_sha256, expected);
}

TEST_F(OwnTable, AFolderAndOneFileWithASplitColumnAreTheSame) {
  const std::string row_sets[] = {"a,x y\nb,z\na,q\n", "b,q\n", "a,\"1, 2\"\n"};
  const char* parts[] = {"train", "val", "test"};
  std::string whole = "split,label,text\n";
  for (int i = 0; i < 3; ++i) Write(std::string(parts[i]) + ".csv", "label,text\n" + row_sets[i]);
  // Rows of the splits in turn; only the order within a split counts.
  whole += "Train,a,x y\ntest,a,\"1, 2\"\ntrain,b,z\ndev,b,q\nTRAIN,a,q\n";
  Write("all.csv", whole);
  const auto one = ImportFile("all.csv");
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(Encode(one->dataset).content_sha256, Encode(Sound().dataset).content_sha256);
  EXPECT_EQ(ImportFile("all.csv", {.columns = {.split = "text"}}).status().code(), absl::StatusCode::kInvalidArgument);
}

RC_GTEST_FIXTURE_PROP(OwnTable, NoWayOfStoringTheRowsChangesTheContent, ()) {
  const auto word = rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc \"'")));
  const auto texts = *rc::gen::suchThat(rc::gen::container<std::vector<std::string>>(word),
                                        [](const std::vector<std::string>& all) { return all.size() >= 6; });
  const char* parts[] = {"train", "dev", "test"};
  std::string files[3];
  std::string whole = "label\ttext\tsplit\n";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // The first two are train's, one of each class, and every split has one.
    const std::size_t part = i < 2 ? 0 : i % 3;
    const std::string row = std::string(i % 2 == 0 ? "no" : "yes") + "\t" + texts[i];
    files[part] += row + "\n";
    whole += row + "\t" + parts[part] + "\n";
  }
  Remove("whole.tsv");
  Write("whole.tsv", whole);
  for (int i = 0; i < 3; ++i) {
    Remove(std::string(parts[i]) + ".tsv.gz");
    WriteGzip(std::string(parts[i]) + ".tsv.gz", "label\ttext\n" + files[i]);
  }
  RC_ASSERT(Encode(Import()->dataset).content_sha256 == Encode(ImportFile("whole.tsv")->dataset).content_sha256);
}

TEST_F(OwnTable, PairsHaveASecondText) {
  WriteAll(".jsonl",
           "{\"gold_label\":\"entailment\",\"sentence1\":\"A man.\",\"sentence2\":\"A person.\"}\n"
           "{\"gold_label\":\"-\",\"sentence1\":\"x\",\"sentence2\":\"y\"}\n"
           "{\"gold_label\":\"neutral\",\"sentence1\":\"A dog.\",\"sentence2\":\"It is big.\"}\n");
  const ImportedDataset imported = Sound();
  EXPECT_TRUE(imported.dataset.has_second_sequence);
  EXPECT_THAT(imported.dataset.labels, ElementsAre("entailment", "neutral"));
  ASSERT_EQ(imported.dataset.splits.at(Split::kTest).size(), 2);
  EXPECT_THAT(imported.dataset.splits.at(Split::kTest)[1].second_tokens, ElementsAre("it", "is", "big"));
  EXPECT_THAT(imported.remarks, Contains("left out: 3 rows without a gold label (\"-\")"));
}

// Whatever the format of one file, those of the others are read by their own headers and keys.
TEST_F(OwnTable, FilesOfDifferentFormatsAreEachReadAsTheyAre) {
  const std::string jsonl =
      "{\"text\": \"A good film\", \"label\": \"pos\"}\n{\"text\": \"A bad one\", \"label\": \"neg\"}\n";
  const std::pair<std::string, std::string> forms[] = {
      {".jsonl", jsonl},
      {".csv", "label,text\npos,A good film\nneg,A bad one\n"},
      {".tsv", "id\ttext\tlabel\n1\tA good film\tpos\n2\tA bad one\tneg\n"},
  };
  std::set<std::string> contents;
  for (const auto& [train_ending, train] : forms) {
    for (const auto& [dev_ending, dev] : forms) {
      for (const auto& [test_ending, test] : forms) {
        const std::string names[] = {"train" + train_ending, "dev" + dev_ending + ".gz", "test" + test_ending};
        Write(names[0], train);
        WriteGzip(names[1], dev);
        Write(names[2], test);
        contents.insert(Encode(Sound().dataset).content_sha256);
        for (const std::string& name : names) Remove(name);
      }
    }
  }
  EXPECT_EQ(contents.size(), 1);
}

// The columns of a table without header are those of the first such; a header beside it is a fault, keys are not.
TEST_F(OwnTable, HeaderlessTablesShareTheirColumnsAmongEachOtherOnly) {
  const std::string header = "text\tlabel\n";
  const std::string rows = "A good film\tpos\nA bad one\tneg\n";
  const std::string jsonl = "{\"1\": \"A good film\", \"2\": \"pos\"}\n";
  const OwnTableOptions by_number = {.columns = {.label = "2", .text = "1"}};
  Write("train.tsv", rows);
  Write("dev.jsonl", jsonl);
  Write("test.tsv", "So so\tpos\n");
  EXPECT_EQ(Sound(by_number).dataset.splits.at(Split::kTest).size(), 1);
  Write("test.tsv", header + rows);
  EXPECT_THAT(Message(by_number), HasSubstr("test.tsv:1: label \"label\" does not occur in train"));
  Remove("dev.jsonl");
  Write("train.tsv", header + rows);
  Write("test.tsv", "pos\tA good film\nneg\tA bad one\npos\tSo so\nneg\tNo\n");
  EXPECT_THAT(Message(), HasSubstr("test.tsv:1: no header, but a file before it has one"));
  Remove("train.tsv");
  WriteGzip("train.jsonl.gz",
            "{\"text\":\"A\",\"label\":\"pos\"}\n{\"text\":\"B\",\"label\":\"neg\"}\n"
            "{\"text\":\"A\",\"label\":\"pos\"}\n{\"text\":\"B\",\"label\":\"neg\"}\n"
            "{\"text\":\"A\",\"label\":\"pos\"}\n{\"text\":\"B\",\"label\":\"neg\"}\n"
            "{\"text\":\"A\",\"label\":\"pos\"}\n");
  const ImportedDataset imported = Sound();
  ASSERT_EQ(imported.dataset.splits.at(Split::kTest).size(), 4);
  EXPECT_THAT(imported.dataset.splits.at(Split::kTest)[0].tokens, ElementsAre("a", "good", "film"));
}

TEST_F(OwnTable, BlanksAndCaseHideNoGoldLabel) {
  for (const char* title : {"gold_label", " gold_label", "Gold_Label ", "\tGOLD_LABEL"}) {
    for (const char* nobody_agreed : {"-", " -", "- ", " - "}) {
      WriteAll(".csv", std::string(title) + ",text\nyes,one\n" + nobody_agreed + ",two\nno,three\n");
      const ImportedDataset imported = Sound();
      EXPECT_THAT(imported.dataset.labels, ElementsAre("no", "yes")) << title << nobody_agreed;
      EXPECT_THAT(imported.remarks, Contains("left out: 3 rows without a gold label (\"-\")"));
    }
  }
  WriteAll(".csv", "label,text\nyes,one\n-,two\n");
  EXPECT_THAT(Sound().dataset.labels, ElementsAre("-", "yes")) << "elsewhere it is a name like any other";
}

TEST_F(OwnTable, RowsSortedByClassAreTold) {
  const auto sorted = [&](const std::string& rows) {
    Write("train.tsv", "label\ttext\n" + rows);
    std::string found;
    for (const std::string& remark : Sound().remarks) found += remark.starts_with("rows are sorted") ? remark : "";
    return found;
  };
  const std::string mixed = "a\tx\nb\ty\na\tx\nb\ty\na\tx\nb\ty\n";
  Write("dev.tsv", "label\ttext\n" + mixed);
  Write("test.tsv", "label\ttext\n" + mixed);
  EXPECT_EQ(sorted("a\tx\na\tx\na\tx\nb\ty\nb\ty\n"),
            "rows are sorted by class in train: a `limit` takes the first, hence few classes; shuffle the file");
  EXPECT_NE(sorted("c\tz\na\tx\na\tx\na\tx\na\tx\na\tx\nb\ty\n"), "") << "whatever the order of the classes";
  EXPECT_EQ(sorted("a\tx\na\tx\na\tx\nb\ty\nb\ty\na\tx\n"), "") << "a class comes again";
  EXPECT_EQ(sorted("a\tx\na\tx\nb\ty\nb\ty\n"), "") << "too few rows to tell";
  Write("test.tsv", "label\ttext\nb\ty\nb\ty\nb\ty\na\tx\na\tx\n");
  EXPECT_THAT(sorted("b\ty\na\tx\na\tx\na\tx\na\tx\n"), HasSubstr("by class in train, test: "));
  EXPECT_THAT(sorted(mixed), HasSubstr("by class in test: "));
}

// Wherever it is cut: in the header, the text or the checksum.
TEST_F(OwnTable, CutOrDamagedGzipIsTheFilesFaultAndNamedOnce) {
  WriteAll(".tsv", "label\ttext\n" + kRows);
  Remove("train.tsv");
  WriteGzip("train.tsv.gz", "label\ttext\n" + kRows);
  const std::string whole = Read("train.tsv.gz");
  const std::string path = (folder() / "train.tsv.gz").string();
  const auto check = [&](const std::string& bytes) {
    Write("train.tsv.gz", bytes);
    const absl::Status status = Import().status();
    const std::string message(status.message());
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_EQ(message.find(path), 0) << message;
    EXPECT_EQ(message.rfind(path), 0) << message;
    return message;
  };
  constexpr std::size_t kHeaderBytes = 10;
  for (std::size_t length = kHeaderBytes; length < whole.size(); ++length) {
    EXPECT_THAT(check(whole.substr(0, length)), HasSubstr(": gzip is cut or damaged: ")) << length;
  }
  std::string damaged = whole;
  damaged[whole.size() - 5] = static_cast<char>(damaged[whole.size() - 5] ^ 1);
  EXPECT_THAT(check(damaged), HasSubstr(": gzip is cut or damaged: incorrect"));
}

TEST_F(OwnTable, WithoutValidationAFixedShuffleOfTrainGivesIt) {
  std::string rows;
  for (int i = 0; i < 100; ++i) rows += (i % 2 == 0 ? "a\tword" : "b\tword") + std::to_string(i) + "\n";
  Write("train.tsv", "label\ttext\n" + rows);
  Write("test.tsv", "label\ttext\na\tx\n");
  const ImportedDataset imported = Sound();
  EXPECT_EQ(imported.dataset.splits.at(Split::kTrain).size(), 85);
  EXPECT_EQ(imported.dataset.splits.at(Split::kValidation).size(), 15);
  EXPECT_THAT(imported.remarks, Contains(std::string(kValidationRemark)));
  Write("train.tsv", "label\ttext\na\tx\nb\ty\n");
  EXPECT_EQ(Message(), "train is too small to take 15 % of it for validation; add a file dev");
}

TEST_F(OwnTable, TextsAndLabelsAreLiteralAndLookalikesAreTold) {
  WriteAll(".tsv", "label\ttext\npos\tnull\nneg\tNA\npos\tNone\nneg\tnan\n Pos \ttrailing\nPOS\tupper case\n");
  const ImportedDataset imported = Sound();
  EXPECT_THAT(imported.dataset.labels, ElementsAre(" Pos ", "POS", "neg", "pos"));
  EXPECT_THAT(imported.dataset.splits.at(Split::kTrain)[0].tokens, ElementsAre("null"));
  EXPECT_THAT(imported.dataset.splits.at(Split::kTrain)[3].tokens, ElementsAre("nan"));
  EXPECT_THAT(imported.remarks, Contains("look alike, and are 3 classes: \" Pos \", \"POS\", \"pos\""));
}

TEST_F(OwnTable, EmptyAndUnseenLabelsAreErrors) {
  Write("train.tsv", "label\ttext\npos\tok\nneg\tok\n\tempty label\n  \tblank label\n");
  Write("test.tsv", "label\ttext\npos\tok\n");
  EXPECT_THAT(Message(), AllOf(HasSubstr("train.tsv:4: the label is empty"), HasSubstr("train.tsv:5: the label is")));
  Write("train.tsv", "label\ttext\npos\tok\nneg\tok\n");
  Write("test.tsv", "label\ttext\npos\tok\nmaybe\tlabel never seen in train\n");
  Write("dev.tsv", "label\ttext\nPOS\tok\n");
  EXPECT_THAT(Message(), AllOf(HasSubstr("test.tsv:3: label \"maybe\" does not occur in train"),
                               HasSubstr("dev.tsv:2: label \"POS\" does not occur in train")));
}

TEST(LabelNames, NumbersAreSortedByValueAndLookalikesFound) {
  EXPECT_THAT(SortedLabels({"10", "9", "-1", "2.5"}), ElementsAre("-1", "2.5", "9", "10"));
  EXPECT_THAT(SortedLabels({"10", "9", "x"}), ElementsAre("10", "9", "x"));
  EXPECT_THAT(SortedLabels({"nan", "inf", "1"}), ElementsAre("1", "inf", "nan"));
  EXPECT_THAT(LookalikeRemarks({"0", "1", "1.0", "01", "true"}),
              ElementsAre("look alike, and are 3 classes: \"01\", \"1\", \"1.0\"",
                          "4 of the 5 classes are numbers, the others are not"));
  EXPECT_THAT(LookalikeRemarks({"0", "1", "2"}), ElementsAre());
  EXPECT_THAT(LookalikeRemarks({"NA", "NO"}), ElementsAre());
}

TEST_F(OwnTable, TextsWithoutWordsAreKeptMissingOnesAreErrors) {
  const std::string sound =
      "{\"id\":\"empty\",\"label\":0,\"text\":\"\"}\n{\"id\":\"spaces\",\"label\":1,\"text\":\"   \"}\n"
      "{\"id\":\"nbsp\",\"label\":0,\"text\":\"\xc2\xa0 \xe2\x80\x83\xe2\x80\x8b\"}\n"
      "{\"id\":\"newline\",\"label\":1,\"text\":\"\\n\\n\"}\n{\"id\":\"one\",\"label\":0,\"text\":\"ok\"}\n";
  WriteAll(".jsonl", sound);
  const ImportedDataset imported = Sound();
  EXPECT_THAT(imported.dataset.labels, ElementsAre("0", "1"));
  EXPECT_EQ(imported.dataset.splits.at(Split::kTrain).size(), 5);
  EXPECT_TRUE(imported.dataset.splits.at(Split::kTrain)[2].tokens.empty());
  EXPECT_THAT(imported.remarks, Contains("texts without a word, in which there is nothing to mask: 12"));
  Write("train.jsonl", sound +
                           "{\"id\":\"missing\",\"label\":1}\n{\"label\":1,\"text\":null}\n"
                           "{\"label\":1.5,\"text\":7}\n{\"text\":\"x\"}\n");
  EXPECT_THAT(Message(), AllOf(HasSubstr("train.jsonl:6: no text"),
                               HasSubstr("train.jsonl:7: the text is null; a string is needed"),
                               HasSubstr("train.jsonl:8: the label is a fraction; a string or an integer is needed"),
                               HasSubstr("train.jsonl:9: no label")));
}

TEST_F(OwnTable, ProblemsOfAllFilesAreTold) {
  Write("train.csv", "label,text\na,\"open\nb,x\n");
  Write("test.csv", "label,text\na,x,y\n");
  EXPECT_THAT(Message(), AllOf(HasSubstr("train.csv:2: the quote that opens here is never closed"),
                               HasSubstr("test.csv:2: number of columns: 3")));
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(OwnTable, WhatCannotBeADataSetIsRefusedInOneLine) {
  EXPECT_EQ(ImportFile("absent").status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ImportFile("absent").status().message()), HasSubstr("absent: no such file or folder"));
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(), HasSubstr("train.tsv, .csv or .jsonl, plain or .gz, is missing"));
  Write("train.tsv", "label\ttext\n" + kRows);
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kNotFound);
  Write("test.tsv", "label\ttext\n");
  EXPECT_EQ(Message(), "there is no example in test");
  EXPECT_EQ(Import().status().code(), absl::StatusCode::kInvalidArgument);
  Write("test.tsv", "label\ttext\n" + kRows);
  Write("dev.tsv", "label\ttext\n");
  EXPECT_EQ(Message(), "there is no example in validation") << "a split that is there is not taken from train";
  Write("dev.tsv", "label\ttext\n" + kRows);
  Write("test.tsv", "");
  EXPECT_THAT(Message(), HasSubstr("test.tsv:1: no rows"));
  Write("test.tsv", "label\ttext\npos\tx\n");
  Write("train.tsv", "label\ttext\npos\tx\npos\ty\n");
  EXPECT_EQ(Message(), "train has only the class \"pos\"; a classifier needs two");
  std::string many = "label\ttext\n";
  for (int i = 0; i < 1001; ++i) many += std::to_string(i) + "\tx\n";
  Write("train.tsv", many);
  EXPECT_THAT(Message(), HasSubstr("train has 1001 different labels, more than 1000"));
}

TEST_F(OwnTable, TwoCandidatesUnknownFormatsAndEndingsAreRefused) {
  WriteAll(".tsv", "label\ttext\n" + kRows);
  Write("val.tsv", "label\ttext\n" + kRows);
  EXPECT_THAT(Message(), HasSubstr("could be meant; remove one"));
  Remove("val.tsv");
  Write("train.csv", "label,text\n");
  EXPECT_THAT(Message(), HasSubstr("could be meant; remove one"));
  EXPECT_TRUE(Import({.format = "tsv"}).ok());
  EXPECT_THAT(Message({.format = "xlsx"}), HasSubstr("no format \"xlsx\"; there are: tsv, csv, jsonl"));
  EXPECT_THAT(Message({.format = "tsv", .columns = {.split = "part"}}), HasSubstr("--split is for one file"));
  Write("all.data", "label\ttext\tsplit\n");
  EXPECT_THAT(std::string(ImportFile("all.data").status().message()), HasSubstr("give --format, one of tsv, csv"));
  EXPECT_EQ(ImportFile("all.data", {.format = "tsv"}).status().message(), "there is no example in train");
}

}  // namespace
}  // namespace roar::datasets
