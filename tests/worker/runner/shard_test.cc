#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "core/experiment/job_key.h"
#include "datasets/canonical.h"
#include "proto/convert.h"
#include "proto/transport/durable_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker/runner/tiny_dataset.h"
#include "worker/runner/job_runner.h"
#include "worker/runner/masking.h"

namespace roar::runner {
namespace {

using testing::HasSubstr;

// Ranks of whatever texts, an example a row.
rc::Gen<masks::Ranking> AnyRanking() {
  const auto example = rc::gen::map(rc::gen::inRange(0, 6), [](int words) {
    masks::Ranks ranks(static_cast<std::size_t>(words) + 2);
    for (int word = 1; word <= words; ++word) ranks[static_cast<std::size_t>(word)] = words + 1 - word;
    return ranks;
  });
  return rc::gen::map(rc::gen::container<std::vector<masks::Ranks>>(example), [](std::vector<masks::Ranks> examples) {
    return masks::Ranking{{Split::kTrain, examples}, {Split::kTest, std::move(examples)}};
  });
}

RC_GTEST_PROP(MergeShards, GivesBackWhatWasDealtOut, ()) {
  const masks::Ranking whole = *AnyRanking();
  std::vector<masks::Ranking> shards(*rc::gen::inRange<std::size_t>(1, 9));
  for (const auto& [split, examples] : whole) {
    for (masks::Ranking& shard : shards) shard[split].resize(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) {
      shards[*rc::gen::inRange<std::size_t>(0, shards.size())][split][i] = examples[i];
    }
  }
  const absl::StatusOr<masks::Ranking> merged = MergeShards(shards);
  RC_ASSERT(merged.ok());
  RC_ASSERT(*merged == whole);
}

TEST(MergeShards, RefusesWhatIsMissingOrComesTwiceOrIsOfOtherData) {
  const masks::Ranks ranks = {0, 1, 0};
  const masks::Ranking first = {{Split::kTest, {ranks, {}}}};
  const masks::Ranking second = {{Split::kTest, {{}, ranks}}};
  EXPECT_TRUE(MergeShards({first, second}).ok());
  EXPECT_THAT(std::string(MergeShards({first}).status().message()), HasSubstr("test example 1: no shard"));
  EXPECT_THAT(std::string(MergeShards({first, second, first}).status().message()),
              HasSubstr("test example 0: two shards"));
  EXPECT_TRUE(absl::IsDataLoss(MergeShards({first, {{Split::kTest, {ranks}}}}).status()));
}

// A trained model and its explanation by integrated gradients, whole and in shards, as an agent would have it done.
class ShardTest : public testing::Test {
 protected:
  void SetUp() override {
    const datasets::CanonicalDataset dataset = datasets::Encode(TinyDataset(70));
    train_.dataset.content_sha256 = dataset.content_sha256;
    train_.training = {.epochs = 1, .batch_size = 16, .learning_rate = 0.01, .embedding_size = 6, .hidden_size = 5};
    ASSERT_TRUE(WriteFileDurably(folder_.path() / dataset.content_sha256, dataset.bytes).ok());
    checkpoint_ = Run(train_, {{"dataset", dataset.content_sha256}});
  }

  // The hash of the output, which lies under it in the folder.
  std::string Run(const JobSpec& spec, const std::vector<InputHash>& inputs) {
    v1::RunJob job;
    job.set_key(KeyOf(spec).hex());
    *job.mutable_spec() = ToProto(spec);
    if (KindOf(spec) != JobKind::kTrain) *job.mutable_explained_train() = ToProto(train_);
    if (KindOf(spec) == JobKind::kExplainShard) *job.mutable_whole() = ToProto(Whole());
    for (const InputHash& input : inputs) {
      v1::InputFile& file = *job.add_inputs();
      file.set_role(input.role);
      file.set_sha256(input.sha256);
      file.set_path((folder_.path() / input.sha256).string());
    }
    job.set_output_path((folder_.path() / "output").string());
    const v1::RunnerMessage::Done done = runner_.Run(job, [](const auto&) { return true; });
    EXPECT_TRUE(done.has_result()) << done.failure().reason();
    const absl::StatusOr<JobResult> result = FromProto(done.result());
    if (!result.ok()) return "";
    EXPECT_THAT(result->inputs, testing::UnorderedElementsAreArray(inputs));
    std::filesystem::rename(folder_.path() / "output", folder_.path() / OutputSha256(*result));
    return OutputSha256(*result);
  }

  ExplainSpec Whole() const { return {KeyOf(train_), {Measure::kIntegratedGradient}}; }

  TemporaryFolder folder_;
  JobRunner runner_{1};
  TrainSpec train_;
  std::string checkpoint_;
};

TEST_F(ShardTest, MergedTheyAreTheRankingOfTheWholeHashForHash) {
  const std::vector<InputHash> inputs = {{"dataset", train_.dataset.content_sha256}, {"checkpoint", checkpoint_}};
  const std::string whole = Run(Whole(), inputs);
  const absl::StatusOr<std::string> bytes = ReadFile(folder_.path() / whole);
  ASSERT_TRUE(bytes.ok());
  for (std::int64_t count = 1; count <= 8; ++count) {
    std::vector<InputHash> shards;
    for (std::int64_t index = 0; index < count; ++index) {
      shards.push_back({"shard", Run(ExplainShardSpec{KeyOf(Whole()), {index, count}}, inputs)});
    }
    EXPECT_EQ(Run(Whole(), shards), whole) << count << " shards";
    const absl::StatusOr<std::string> merged = ReadFile(folder_.path() / whole);
    ASSERT_TRUE(merged.ok()) << merged.status();
    EXPECT_EQ(*merged, *bytes) << count << " shards";
  }
}

}  // namespace
}  // namespace roar::runner
