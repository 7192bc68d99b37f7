#include "client/sweep_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "client/sweep_submission.h"
#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"

namespace roar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Problems as "LINE: MESSAGE".
std::vector<std::string> ProblemsOf(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& [line, message] : ParseSweepFile(text, "default").problems) {
    lines.push_back(absl::StrCat(line, ": ", message));
  }
  return lines;
}

SweepFile Parsed(const std::string& text) {
  EXPECT_THAT(ProblemsOf(text), IsEmpty()) << text;
  return ParseSweepFile(text, "default").file;
}

constexpr char kSmallest[] = "datasets: [babi-1]\nmeasures: [attention]\n";

std::string WithLine(const std::string& line) { return absl::StrCat(kSmallest, line, "\n"); }

TEST(SweepFileTest, DefaultsFillWhatIsNotWritten) {
  const SweepSpec spec = Parsed(kSmallest).spec;
  EXPECT_EQ(spec.name, "default");
  EXPECT_THAT(spec.models, ElementsAre("bilstm_attention"));
  EXPECT_THAT(spec.strategies, ElementsAre("recursive"));
  EXPECT_EQ(spec.unit, MaskUnit::kRatioPercent);
  EXPECT_THAT(spec.steps, ElementsAre(10, 20, 30, 40, 50, 60, 70, 80, 90));
  EXPECT_THAT(spec.seeds, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(spec.training, TrainingOverrides());
  EXPECT_EQ(spec.ig_variant, std::nullopt);
  EXPECT_EQ(spec.datasets[0].reference, DatasetReference());
}

TEST(SweepFileTest, EveryFieldArrives) {
  const SweepFile file = Parsed(R"(name: everything
datasets: [babi-gen-1, babi-2]
models: [bilstm_attention]
measures: [attention, gradient]
strategies: [roar, recursive]
counts: [1, 2, 5]
seeds: [3, 7]
training:
  epochs: 12
  batch_size: 64
  learning_rate: 1e-3
  weight_decay: 0
  embedding_size: 20
  hidden_size: 16
  checkpoint_metric: macro_f1
  embeddings: zeros
test_metric: auroc
ig_variant: textbook
data:
  babi-gen-1: {train: 2000, test: 500, seed: 4}
  babi-2: {limit: 100}
)");
  EXPECT_EQ(file.spec.name, "everything");
  EXPECT_EQ(file.spec.datasets[0].name, "babi-gen-1");
  EXPECT_EQ(file.spec.datasets[1].reference.limit, 100);
  EXPECT_THAT(file.spec.measures, ElementsAre("attention", "gradient"));
  EXPECT_THAT(file.spec.strategies, ElementsAre("roar", "recursive"));
  EXPECT_EQ(file.spec.unit, MaskUnit::kCount);
  EXPECT_THAT(file.spec.steps, ElementsAre(1, 2, 5));
  EXPECT_THAT(file.spec.seeds, ElementsAre(3, 7));
  const TrainingOverrides expected{.epochs = 12,
                                   .batch_size = 64,
                                   .learning_rate = 1e-3,
                                   .weight_decay = 0.0,
                                   .embedding_size = 20,
                                   .hidden_size = 16,
                                   .checkpoint_metric = "macro_f1",
                                   .embeddings = "zeros"};
  EXPECT_EQ(file.spec.training, expected);
  EXPECT_EQ(file.spec.test_metric, "auroc");
  EXPECT_EQ(file.spec.ig_variant, "textbook");
  const DataOptions generated{.train = 2000, .test = 500, .seed = 4};
  EXPECT_EQ(file.data.at("babi-gen-1"), generated);
}

TEST(SweepFileTest, ShortFormsOfLists) {
  EXPECT_THAT(Parsed(WithLine("ratios: {from: 10, to: 90, step: 40}")).spec.steps, ElementsAre(10, 50, 90));
  EXPECT_THAT(Parsed(WithLine("ratios: {from: 20, to: 75, step: 20}")).spec.steps, ElementsAre(20, 40, 60));
  EXPECT_THAT(Parsed(WithLine("ratios: 30")).spec.steps, ElementsAre(30));
  EXPECT_THAT(Parsed(WithLine("seeds: 2")).spec.seeds, ElementsAre(0, 1));
  EXPECT_THAT(Parsed("datasets: babi-1\nmeasures: random\n").spec.measures, ElementsAre("random"));
}

TEST(SweepFileTest, StringsStayStrings) {
  const SweepFile file = Parsed("name: 0510210600\ndatasets: [no]\nmeasures: [attention]\n");
  EXPECT_EQ(file.spec.name, "0510210600");
  EXPECT_EQ(file.spec.datasets[0].name, "no");
  EXPECT_THAT(ProblemsOf("datasets: [a]\nmeasures: [off]\n"), ElementsAre(HasSubstr("2: unknown measure \"off\"")));
}

TEST(SweepFileTest, OneMistakeIsToldAtItsLineWithWhatIsRight) {
  const std::pair<std::string, std::string> cases[] = {
      {"seeds: [010]", "3: seeds: \"010\" is not an integer; write 10"},
      {"seeds: [08]", "3: seeds: \"08\" is not an integer; write 8"},
      {"seeds: [0, 1.0]", "3: seeds: \"1.0\" is not an integer; write 1"},
      {"seeds: [0, 2.5]", "3: seeds: \"2.5\" is not an integer"},
      {"seeds: [1_000]", "3: seeds: \"1_000\" is not an integer; write 1000"},
      {"seeds: [1e3]", "3: seeds: \"1e3\" is not an integer; write 1000"},
      {"seeds: [+3]", "3: seeds: \"+3\" is not an integer; write 3"},
      {"seeds: [0x10]", "3: seeds: \"0x10\" is not an integer"},
      {"seeds: [0o10]", "3: seeds: \"0o10\" is not an integer"},
      {"seeds: [-1]", "3: seed -1 is negative"},
      {"seeds: [99999999999999999999]", "3: seeds: \"99999999999999999999\" is too large"},
      {"seeds: 0", "3: seeds: 0 is not a number of seeds"},
      {"seeds: {a: 1}", "3: seeds: expected a list, found a mapping"},
      {"ratios: [10%]", "3: ratios: \"10%\" is not an integer; write 10"},
      {"ratios: [0.1]", "3: ratios: \"0.1\" is not an integer"},
      {"ratios: [10, 120]", "3: ratio 120 is outside"},
      {"ratios: {from: 90, to: 10, step: 10}", "3: ratios: from 90 to 10 by 10 is no ascending range"},
      {"ratios: {from: 10, to: 90}", "3: ratios: step is missing"},
      {"counts: [0]", "3: count 0 is below 1"},
      {"ratio: [50]", "3: unknown key \"ratio\"; did you mean ratios?"},
      {"sedds: [0]", "3: unknown key \"sedds\"; did you mean seeds?"},
      {"xyzzy: 1", "3: unknown key \"xyzzy\"; known keys: name, datasets"},
      {"training: {lr: 1}", "3: unknown key \"lr\"; known keys: epochs"},
      {"training: {epochs: 0}", "3: epochs 0 is outside"},
      {"training: {epochs: ten}", "3: training.epochs: \"ten\" is not an integer"},
      {"training: {learning_rate: fast}", "3: training.learning_rate: expected a number"},
      {"training: {learning_rate: nan}", "3: training.learning_rate: expected a number"},
      {"training: {learning_rate: 0x1p3}", "3: training.learning_rate: expected a number"},
      {"training: {learning_rate: 00.1}", "3: training.learning_rate: \"00.1\" has a leading zero; write 0.1"},
      {"training: {learning_rate: 1:30:00}", "3: training.learning_rate: expected a number"},
      {"training: {checkpoint_metric: accurcy}", "3: unknown metric \"accurcy\"; did you mean \"accuracy\"?"},
      {"training: {embeddings: zero}", "3: unknown embeddings \"zero\"; did you mean \"zeros\"?"},
      {"test_metric: acuracy", "3: unknown metric \"acuracy\"; did you mean \"accuracy\"?"},
      {"ig_variant: textbok", "3: unknown variant \"textbok\"; did you mean \"textbook\"?"},
      {"ig_variant: [published]", "3: ig_variant: expected a name, found a list"},
      {"training: 5", "3: training: expected keys with values, found \"5\""},
      {"strategies: [recursiv]", "3: unknown strategy \"recursiv\"; did you mean \"recursive\"?"},
      {"models:", "3: models: expected a list, found nothing"},
      {"name: [a]", "3: name: expected a name, found a list"},
      {"data: {babi-1: {train: 5}}", "3: data.babi-1: train, test and seed are for generated"},
      {"data: {babi-2: {limit: 5}}", "3: unknown key \"babi-2\"; did you mean babi-1?"},
      {"data: {babi-1: {limit: -5}}", "3: data.babi-1.limit: -5 is below 1; leave it out to use all examples"},
      {"data: {babi-1: {limit: 0}}", "3: data.babi-1.limit: 0 is below 1; leave it out to use all examples"},
      {"measures: [gradient]", "3: key \"measures\" is already at line 2"},
      {"\"x\\e[31m\": 1", "3: unknown key \"x\\033[31m\""},
  };
  for (const auto& [line, expected] : cases) {
    EXPECT_THAT(ProblemsOf(WithLine(line)), ElementsAre(HasSubstr(expected))) << line;
  }
}

TEST(SweepFileTest, EverySizeOfGeneratedDataIsToldByItsKeyValueAndLine) {
  const std::string start = "datasets: [babi-gen-1]\nmeasures: [gradient]\ndata:\n  babi-gen-1:\n";
  EXPECT_THAT(ProblemsOf(start + "    train: 0\n    test: -3\n    seed: -1\n    limit: 0\n"),
              ElementsAre("5: data.babi-gen-1.train: 0 is below 1; leave it out for 10000",
                          "6: data.babi-gen-1.test: -3 is below 1; leave it out for 1000",
                          "7: data.babi-gen-1.seed: -1 is below 0; seeds start at 0",
                          "8: data.babi-gen-1.limit: 0 is below 1; leave it out to use all examples"));
  EXPECT_THAT(ProblemsOf(start + "    train: 1\n    test: 1\n    seed: 0\n    limit: 1\n"), IsEmpty());
}

TEST(SweepFileTest, AllMistakesAreToldAtOnceInTheOrderOfTheFile) {
  EXPECT_THAT(ProblemsOf("datasets: [babi-1]\n"
                         "measures: [attentoin, gradient]\n"
                         "ratio: [0, 50]\n"
                         "seeds:\n"
                         "  - 0\n"
                         "  - 0\n"
                         "  - 1.5\n"
                         "training:\n"
                         "  epochs: -1\n"),
              ElementsAre(HasSubstr("2: unknown measure \"attentoin\""), HasSubstr("3: unknown key \"ratio\""),
                          HasSubstr("6: seed 0 is there twice"), HasSubstr("7: seeds: \"1.5\""),
                          HasSubstr("9: epochs -1 is outside")));
}

TEST(SweepFileTest, WordVectorsThatCannotBeReadAreToldAtTheTrainingTheyBelongTo) {
  const std::string start = "datasets: [sst]\nmeasures: [attention]\n";
  EXPECT_THAT(ProblemsOf(start), ElementsAre(HasSubstr("1: the published experiment on sst starts from word vectors")));
  EXPECT_THAT(ProblemsOf(start + "training:\n  epochs: 3\n"), ElementsAre(HasSubstr("3: the published experiment")));
  EXPECT_THAT(ProblemsOf(start + "training: {embeddings: zeros}\n"), IsEmpty());
}

TEST(SweepFileTest, WhatIsMissingIsTold) {
  EXPECT_THAT(ProblemsOf("name: x\n"), ElementsAre(HasSubstr("1: no data set"), HasSubstr("1: no measure")));
  EXPECT_THAT(ProblemsOf("- a\n- b\n"), testing::Contains(HasSubstr("1: sweep: expected keys with values")));
}

TEST(SweepFileTest, AMisspeltKeyOfARangeIsAlsoAMissingOne) {
  EXPECT_THAT(
      ProblemsOf(WithLine("ratios: {from: 10, to: 90, stp: 10}")),
      ElementsAre(HasSubstr("3: unknown key \"stp\"; did you mean step?"), HasSubstr("3: ratios: step is missing")));
}

TEST(SweepFileTest, RatiosAndCountsTogetherAreRefused) {
  EXPECT_THAT(ProblemsOf(WithLine("ratios: [10]\ncounts: [1]")), ElementsAre(HasSubstr("4: both ratios and counts")));
}

TEST(SweepFileTest, LinesAreFoundForFieldsAndWhatIsInThem) {
  const SweepFile file = Parsed(
      "datasets: [babi-1]\nmeasures:\n  - attention\n  - gradient\nratios: [10, 20]\n"
      "data:\n  babi-1:\n    limit: 5\n");
  EXPECT_EQ(file.lines.LineOf("measures[1]"), 4);
  EXPECT_EQ(file.lines.LineOf("ratios[1]"), 5);
  EXPECT_EQ(file.lines.LineOf("datasets[0].content_sha256"), 1);
  EXPECT_EQ(file.lines.LineOf("datasets[0].limit"), 8);
  EXPECT_EQ(file.lines.LineOf("training.epochs"), 1);
  EXPECT_EQ(file.lines.LineOf(""), 1);
}

TEST(SweepFileTest, AFileIsNamedInItsProblems) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "sweep.yaml";
  ASSERT_TRUE(WriteFileDurably(path, "datasets: [a]\nmeasure: [x]\n").ok());
  const auto file = LoadSweepFile(path);
  ASSERT_TRUE(absl::IsInvalidArgument(file.status()));
  EXPECT_THAT(std::string(file.status().message()), HasSubstr(path + ":2: unknown key \"measure\""));
}

TEST(SweepFileTest, MissingAndHugeFilesAreRefused) {
  const TemporaryFolder folder;
  EXPECT_TRUE(absl::IsNotFound(LoadSweepFile(folder.path() / "none.yaml").status()));
  const std::string path = folder.path() / "huge.yaml";
  ASSERT_TRUE(WriteFileDurably(path, std::string((1 << 20) + 1, '#')).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(LoadSweepFile(path).status()));
}

TEST(SweepFileTest, TheExamplesAreValid) {
  for (const std::string name : {"quickstart", "babi-1", "babi-1-check", "sst"}) {
    const auto file = LoadSweepFile(absl::StrCat(ROAR_SOURCE_DIR "/examples/", name, ".yaml"));
    EXPECT_TRUE(file.ok()) << file.status();
    if (file.ok()) {
      EXPECT_EQ(file->spec.name, name);
    }
  }
}

}  // namespace
}  // namespace roar
