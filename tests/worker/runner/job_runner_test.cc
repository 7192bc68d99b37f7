#include "worker/runner/job_runner.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/experiment/job_key.h"
#include "core/experiment/sha256.h"
#include "datasets/canonical.h"
#include "datasets/ranking_file.h"
#include "datasets/record_file.h"
#include "proto/convert.h"
#include "proto/transport/durable_file.h"
#include "proto/transport/framing.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker/runner/tiny_dataset.h"
#include "worker/runner/serve.h"

namespace roar::runner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::UnorderedElementsAre;

class JobRunnerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { ml::SetUpThreads(1); }

  void SetUp() override {
    const datasets::CanonicalDataset dataset = datasets::Encode(TinyDataset());
    dataset_sha256_ = dataset.content_sha256;
    ASSERT_TRUE(WriteFileDurably(Path("dataset"), dataset.bytes).ok());
  }

  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  TrainSpec Train(Mask mask) const {
    TrainSpec spec;
    spec.dataset.content_sha256 = dataset_sha256_;
    spec.training = {.epochs = 2, .batch_size = 8, .learning_rate = 0.01, .embedding_size = 6, .hidden_size = 5};
    spec.mask = std::move(mask);
    spec.seed = 3;
    return spec;
  }

  void AddInput(v1::RunJob& job, const std::string& role, const std::string& sha256, const std::string& file) const {
    v1::InputFile& input = *job.add_inputs();
    input.set_role(role);
    input.set_sha256(sha256);
    input.set_path(Path(file).string());
  }

  v1::RunJob TrainJob(const TrainSpec& spec, const std::string& output) const {
    v1::RunJob job;
    job.set_key(KeyOf(spec).hex());
    *job.mutable_spec() = ToProto(JobSpec(spec));
    AddInput(job, "dataset", dataset_sha256_, "dataset");
    job.set_output_path(Path(output).string());
    return job;
  }

  v1::RunJob ExplainJob(const TrainSpec& train, const std::string& checkpoint, const std::string& output) const {
    const ExplainSpec spec = {.source = KeyOf(train), .settings = {.measure = Measure::kGradient}};
    v1::RunJob job;
    job.set_key(KeyOf(spec).hex());
    *job.mutable_spec() = ToProto(JobSpec(spec));
    *job.mutable_explained_train() = ToProto(train);
    AddInput(job, "dataset", dataset_sha256_, "dataset");
    AddInput(job, "checkpoint", *FileSha256(Path(checkpoint)), checkpoint);
    job.set_output_path(Path(output).string());
    return job;
  }

  v1::RunJob ExplainDataJob(const Mask& mask, const std::string& output) const {
    MaskedData data;
    data.dataset.content_sha256 = dataset_sha256_;
    data.mask = mask;
    const ExplainSpec spec = {.source = data, .settings = {.measure = Measure::kMutualInformation}};
    v1::RunJob job;
    job.set_key(KeyOf(spec).hex());
    *job.mutable_spec() = ToProto(JobSpec(spec));
    AddInput(job, "dataset", dataset_sha256_, "dataset");
    job.set_output_path(Path(output).string());
    return job;
  }

  v1::RunnerMessage::Done Run(const v1::RunJob& job) {
    phases_.clear();
    return runner_.Run(job, [this](const v1::RunnerMessage::Progress& progress) {
      if (phases_.empty() || phases_.back() != progress.phase()) phases_.push_back(progress.phase());
      return listening_;
    });
  }

  JobResult MustSucceed(const v1::RunJob& job) {
    const v1::RunnerMessage::Done done = Run(job);
    EXPECT_TRUE(done.has_result()) << done.failure().reason();
    absl::StatusOr<JobResult> result = FromProto(done.result());
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(JobResult{});
  }

  void MustFail(const v1::RunJob& job, const std::string& kind, const std::string& reason) {
    const v1::RunnerMessage::Done done = Run(job);
    ASSERT_TRUE(done.has_failure());
    EXPECT_EQ(done.failure().kind(), kind);
    EXPECT_THAT(done.failure().reason(), HasSubstr(reason));
  }

  masks::Ranking ReadRanking(const std::string& file) const {
    const absl::StatusOr<std::string> bytes = ReadFile(Path(file));
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    const absl::StatusOr<masks::Ranking> ranking = datasets::DecodeRanking(*bytes);
    EXPECT_TRUE(ranking.ok()) << ranking.status();
    return ranking.value_or(masks::Ranking{});
  }

  TemporaryFolder folder_;
  std::string dataset_sha256_;
  JobRunner runner_{1};
  bool listening_ = true;
  std::vector<std::string> phases_;
};

// What the first `percent` of `before` masks keeps its rank in `after`.
void ExpectNested(const masks::Ranking& before, const masks::Ranking& after, std::int64_t percent) {
  ASSERT_EQ(after.size(), before.size());
  for (const auto& [split, ranks] : before) {
    ASSERT_EQ(after.at(split).size(), ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const auto maskable = static_cast<std::int64_t>(ranks[i].size()) - 2;
      for (std::size_t t = 0; t < ranks[i].size(); ++t) {
        const bool was_masked = ranks[i][t] >= 1 && ranks[i][t] <= percent * maskable / 100;
        EXPECT_TRUE(!was_masked || after.at(split)[i][t] == ranks[i][t]);
      }
    }
  }
}

const JobKey kSomeExplanation = JobKey(std::string(64, 'e'));

TEST_F(JobRunnerTest, ATrainingLeavesMetricsACheckpointAndItsProvenance) {
  const JobResult result = MustSucceed(TrainJob(Train(NoMask{}), "checkpoint"));
  const auto& train = std::get<TrainResult>(result.outcome);
  EXPECT_EQ(train.checkpoint_sha256, *FileSha256(Path("checkpoint")));
  ASSERT_EQ(train.metrics.size(), 3u);
  EXPECT_EQ(train.metrics.at(Split::kTest).examples, 24);
  EXPECT_EQ(train.metrics.at(Split::kTest).examples_without_maskable_token, 1);
  EXPECT_EQ(train.metrics.at(Split::kTrain).examples_without_maskable_token, 0);
  EXPECT_THAT(result.inputs, ElementsAre(InputHash{"dataset", dataset_sha256_}));
  EXPECT_EQ(result.provenance.device_kind, ml::DeviceKind());
  EXPECT_EQ(result.provenance.threads, 1);
  EXPECT_GT(result.provenance.peak_memory_bytes, 1'000'000);
  EXPECT_GT(result.provenance.seconds_by_phase.at("training"), 0);
  EXPECT_THAT(result.provenance.seconds_by_phase,
              UnorderedElementsAre(Key("decoding"), Key("training"), Key("evaluating"), Key("writing")));
  EXPECT_EQ(phases_.front(), "staging");
  EXPECT_THAT(phases_, Contains("training"));
}

TEST_F(JobRunnerTest, TheSameJobLeavesTheSameBits) {
  const JobResult first = MustSucceed(TrainJob(Train(NoMask{}), "first"));
  const JobResult second = MustSucceed(TrainJob(Train(NoMask{}), "second"));
  EXPECT_EQ(first.outcome, second.outcome);
  runner_ = JobRunner(1);
  EXPECT_EQ(MustSucceed(TrainJob(Train(NoMask{}), "third")).outcome, first.outcome);
}

TEST_F(JobRunnerTest, EveryMaskTrainsAnotherModel) {
  std::set<std::string> checkpoints;
  for (const Mask& mask : {Mask(NoMask{}), Mask(AllMasked{}), Mask(RandomMask{.amount = 30, .seed = 3})}) {
    checkpoints.insert(OutputSha256(MustSucceed(TrainJob(Train(mask), "checkpoint"))));
  }
  EXPECT_EQ(checkpoints.size(), 3u);
}

TEST_F(JobRunnerTest, TheLimitTakesTheFirstExamples) {
  TrainSpec spec = Train(NoMask{});
  spec.dataset.limit = 10;
  const JobResult limited = MustSucceed(TrainJob(spec, "limited"));
  EXPECT_EQ(std::get<TrainResult>(limited.outcome).metrics.at(Split::kTrain).examples, 10);

  const datasets::CanonicalDataset small = datasets::Encode(TinyDataset(10));
  ASSERT_TRUE(WriteFileDurably(Path("dataset"), small.bytes).ok());
  dataset_sha256_ = small.content_sha256;
  EXPECT_EQ(OutputSha256(MustSucceed(TrainJob(Train(NoMask{}), "small"))), OutputSha256(limited))
      << "as if there were no others";
}

// Train, explain, train masked by that, explain again: what is masked at 30 % stays masked at 60 %.
TEST_F(JobRunnerTest, RanksAreNestedOverTwoLinks) {
  const TrainSpec base = Train(NoMask{});
  MustSucceed(TrainJob(base, "checkpoint0"));
  const JobResult explained = MustSucceed(ExplainJob(base, "checkpoint0", "ranking1"));
  EXPECT_EQ(OutputSha256(explained), *datasets::ContentSha256(*ReadFile(Path("ranking1"))));
  EXPECT_THAT(explained.inputs, ElementsAre(InputHash{"dataset", dataset_sha256_},
                                            InputHash{"checkpoint", *FileSha256(Path("checkpoint0"))}));

  const TrainSpec link = Train(RankedMask{.explanation = kSomeExplanation, .amount = 30});
  v1::RunJob train_job = TrainJob(link, "checkpoint1");
  AddInput(train_job, "ranking", OutputSha256(explained), "ranking1");
  const JobResult trained = MustSucceed(train_job);
  EXPECT_THAT(trained.inputs,
              ElementsAre(InputHash{"dataset", dataset_sha256_}, InputHash{"ranking", OutputSha256(explained)}));
  EXPECT_NE(OutputSha256(trained), *FileSha256(Path("checkpoint0")));

  v1::RunJob explain_job = ExplainJob(link, "checkpoint1", "ranking2");
  AddInput(explain_job, "ranking", OutputSha256(explained), "ranking1");
  MustSucceed(explain_job);

  const masks::Ranking first = ReadRanking("ranking1");
  const masks::Ranking second = ReadRanking("ranking2");
  ExpectNested(first, second, 30);
  EXPECT_NE(first, second) << "another model ranks the rest in another order";
}

// Neither file is there any more when the explanation is made, and its ranking is that of a runner that read both.
TEST_F(JobRunnerTest, WhoExplainsWhatWasJustTrainedReadsNeitherDataNorCheckpoint) {
  const TrainSpec base = Train(NoMask{});
  MustSucceed(TrainJob(base, "checkpoint"));
  const v1::RunJob warm_job = ExplainJob(base, "checkpoint", "warm");
  const v1::RunJob cold_job = ExplainJob(base, "checkpoint", "cold");
  JobRunner cold(1);
  const v1::RunnerMessage::Done expected = cold.Run(cold_job, [](const auto&) { return true; });
  ASSERT_TRUE(expected.has_result()) << expected.failure().reason();

  std::filesystem::remove(Path("dataset"));
  std::filesystem::remove(Path("checkpoint"));
  const JobResult warm = MustSucceed(warm_job);
  EXPECT_EQ(OutputSha256(warm), expected.result().explain().ranking_sha256());
  EXPECT_THAT(warm.inputs, testing::SizeIs(2)) << "what is known by its hash is an input all the same";
}

// No checkpoint is among what is read, and the second link counts the data as the first one masks them.
TEST_F(JobRunnerTest, MutualInformationRanksDataWithoutAModel) {
  const JobResult first = MustSucceed(ExplainDataJob(NoMask{}, "ranking1"));
  EXPECT_EQ(OutputSha256(first), *datasets::ContentSha256(*ReadFile(Path("ranking1"))));
  EXPECT_THAT(first.inputs, ElementsAre(InputHash{"dataset", dataset_sha256_}));
  EXPECT_THAT(phases_, ElementsAre("staging", "explaining", "uploading"));

  v1::RunJob job = ExplainDataJob(RankedMask{.explanation = kSomeExplanation, .amount = 50}, "ranking2");
  AddInput(job, "ranking", OutputSha256(first), "ranking1");
  const JobResult second = MustSucceed(job);
  EXPECT_THAT(second.inputs,
              ElementsAre(InputHash{"dataset", dataset_sha256_}, InputHash{"ranking", OutputSha256(first)}));
  ExpectNested(ReadRanking("ranking1"), ReadRanking("ranking2"), 50);

  // The first token that the label decides is masked first.
  const datasets::Dataset dataset = TinyDataset();
  const masks::Ranking ranking = ReadRanking("ranking1");
  const std::set<std::string> answers(dataset.labels.begin(), dataset.labels.end());
  const std::vector<datasets::Example>& examples = dataset.splits.at(Split::kTrain);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const masks::Ranks& ranks = ranking.at(Split::kTrain)[i];
    const auto top = static_cast<std::size_t>(std::ranges::find(ranks, 1) - ranks.begin());
    EXPECT_TRUE(answers.contains(examples[i].tokens[top - 1])) << i;
  }
}

// ---- What is refused ----

TEST_F(JobRunnerTest, AnotherDatasetThanTheSpecsIsRefused) {
  const datasets::CanonicalDataset other = datasets::Encode(TinyDataset(9));
  ASSERT_TRUE(WriteFileDurably(Path("dataset"), other.bytes).ok());
  MustFail(TrainJob(Train(NoMask{}), "checkpoint"), "deterministic", other.content_sha256);
  EXPECT_FALSE(std::filesystem::exists(Path("checkpoint")));
}

TEST_F(JobRunnerTest, ADamagedDatasetIsRefused) {
  ASSERT_TRUE(WriteFileDurably(Path("dataset"), "no data set").ok());
  MustFail(TrainJob(Train(NoMask{}), "checkpoint"), "deterministic", "");
}

TEST_F(JobRunnerTest, ARankingOfAnotherHashOrAnotherDatasetIsRefused) {
  const datasets::EncodedRanking ranking = datasets::EncodeRanking({{Split::kTrain, {{0, 1, 0}}}});
  ASSERT_TRUE(WriteFileDurably(Path("ranking"), ranking.bytes).ok());
  const TrainSpec spec = Train(RankedMask{.explanation = kSomeExplanation, .amount = 30});
  MustFail(TrainJob(spec, "checkpoint"), "deterministic", "without its ranking");

  v1::RunJob wrong_hash = TrainJob(spec, "checkpoint");
  AddInput(wrong_hash, "ranking", Sha256Hex(ranking.bytes), "ranking");
  MustFail(wrong_hash, "deterministic", ranking.content_sha256);

  v1::RunJob does_not_fit = TrainJob(spec, "checkpoint");
  AddInput(does_not_fit, "ranking", ranking.content_sha256, "ranking");
  MustFail(does_not_fit, "deterministic", "split");
}

TEST_F(JobRunnerTest, ACheckpointOfAnotherHashIsRefused) {
  const TrainSpec base = Train(NoMask{});
  MustSucceed(TrainJob(base, "checkpoint"));
  v1::RunJob job = ExplainJob(base, "checkpoint", "ranking");
  job.mutable_inputs(1)->set_sha256(std::string(64, '0'));
  MustFail(job, "deterministic", std::string(64, '0'));
  EXPECT_FALSE(std::filesystem::exists(Path("ranking")));
}

TEST_F(JobRunnerTest, AKeyThatIsNotTheSpecsIsRefused) {
  v1::RunJob job = TrainJob(Train(NoMask{}), "checkpoint");
  job.mutable_spec()->mutable_train()->set_seed(4);
  MustFail(job, "deterministic", "differ in version");

  const TrainSpec base = Train(NoMask{});
  MustSucceed(TrainJob(base, "checkpoint"));
  v1::RunJob explain = ExplainJob(base, "checkpoint", "ranking");
  explain.mutable_explained_train()->set_seed(4);
  MustFail(explain, "deterministic", "training to explain");
}

TEST_F(JobRunnerTest, AnUnknownNameIsRefusedByName) {
  v1::RunJob job = TrainJob(Train(NoMask{}), "checkpoint");
  job.mutable_spec()->mutable_train()->set_model("transformer-of-next-year");
  MustFail(job, "deterministic", "transformer-of-next-year");
}

TEST_F(JobRunnerTest, WhenNobodyListensTheJobEnds) {
  listening_ = false;
  MustFail(TrainJob(Train(NoMask{}), "checkpoint"), "preempted", "");
}

// ---- The conversation ----

TEST_F(JobRunnerTest, ServesJobsUntilTheAgentCloses) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  absl::Status served = absl::UnknownError("still serving");
  std::thread serving([&] {
    served = ServeJobs(sockets[1], runner_);
    close(sockets[1]);
  });
  for (const char* output : {"one", "two"}) {
    ASSERT_TRUE(WriteFrame(sockets[0], TrainJob(Train(NoMask{}), output)).ok());
    v1::RunnerMessage message;
    do {
      ASSERT_TRUE(ReadFrame(sockets[0], message).ok());
    } while (!message.has_done());
    EXPECT_TRUE(message.done().has_result());
  }
  close(sockets[0]);
  serving.join();
  EXPECT_TRUE(served.ok()) << served;
}

TEST_F(JobRunnerTest, AnAgentThatLeavesInTheMidstOfAJobEndsTheConversation) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  ASSERT_TRUE(WriteFrame(sockets[0], TrainJob(Train(NoMask{}), "checkpoint")).ok());
  close(sockets[0]);
  EXPECT_TRUE(ServeJobs(sockets[1], runner_).ok());
  EXPECT_FALSE(std::filesystem::exists(Path("checkpoint")));
  close(sockets[1]);
}

}  // namespace
}  // namespace roar::runner
