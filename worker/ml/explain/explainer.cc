#include "worker/ml/explain/explainer.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "worker/ml/chunk_sizes.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/training/check_arguments.h"
#include "worker/ml/training/flat_parameters.h"
#include "worker/ml/training/progress.h"

namespace roar::ml {
namespace {

struct ModelMeasure {
  Measure measure;
  ScoreChunk (*make)(const ExplainedModel&);
};
constexpr ModelMeasure kModelMeasures[] = {
    {Measure::kAttention, AttentionMeasure},
    {Measure::kGradient, GradientMeasure},
    {Measure::kInputTimesGradient, InputTimesGradientMeasure},
    {Measure::kIntegratedGradient, IntegratedGradientMeasure},
};

struct DataMeasure {
  Measure measure;
  Scores (*score)(const EncodedDataset&);
};
constexpr DataMeasure kDataMeasures[] = {
    {Measure::kMutualInformation, MutualInformationMeasure},
};

template <typename Row, std::size_t kRows>
const Row* FindRow(const Row (&rows)[kRows], Measure measure) {
  const auto* row = std::ranges::find(rows, measure, &Row::measure);
  return row == std::end(rows) ? nullptr : row;
}

struct PlacedChunk {
  Split split;
  // Into the order of the split.
  std::span<const std::int64_t> indices;
};

// The shard's chunks: consecutive pieces of each split's order, numbered through all splits.
std::vector<PlacedChunk> ChunksOf(const EncodedDataset& dataset,
                                  const std::map<Split, std::vector<std::int64_t>>& orders, const Shard& shard) {
  std::vector<PlacedChunk> chunks;
  std::int64_t number = 0;
  for (const auto& [split, order] : orders) {
    for (std::span<const std::int64_t> rest(order); !rest.empty(); ++number) {
      const auto indices = FirstTexts(dataset.splits.at(split), rest, kMostTextsExplained, kMostTokensAtOnce);
      rest = rest.subspan(indices.size());
      if (number % shard.count == shard.index) chunks.push_back({split, indices});
    }
  }
  return chunks;
}

void ExplainChunk(const Chunk& chunk, const ScoreChunk& score, std::vector<std::vector<float>>& scores) {
  std::size_t tokens = 0;
  for (const std::int64_t index : chunk.indices) tokens += chunk.examples[index].tokens.size();
  std::vector<float> of_chunk(tokens);
  score(chunk, of_chunk.data());
  const float* from = of_chunk.data();
  for (const std::int64_t index : chunk.indices) {
    scores[index].assign(from, from + chunk.examples[index].tokens.size());
    from += chunk.examples[index].tokens.size();
  }
}

}  // namespace

absl::StatusOr<Scores> ExplainWith(Classifier& model, const EncodedDataset& dataset, const ExplainRequest& request,
                                   const ProgressCallback& callback) {
  const auto& [settings, shard] = request;
  const ModelMeasure* row = FindRow(kModelMeasures, settings.measure);
  if (row == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("measure ", std::string(Name(settings.measure)), " is not computed from a model"));
  }
  if (shard.index < 0 || shard.index >= shard.count) {
    return absl::InvalidArgumentError(absl::StrCat("there is no shard ", shard.index, " of ", shard.count));
  }
  const FlatParameters parameters(model);
  const auto classifier = model.Fuse(parameters.Find());
  const torch::Tensor embedding = model.EmbeddingMatrix();
  const ScoreChunk score = row->make(
      {*classifier, embedding.data_ptr<float>(), classifier->first_encoder().shape(), dataset.class_count, settings});

  Scores scores;
  std::map<Split, std::vector<std::int64_t>> orders;
  for (const auto& [split, examples] : dataset.splits) {
    scores[split].resize(examples.size());
    orders[split] = OrderByLength(examples);
  }
  const std::vector<PlacedChunk> chunks = ChunksOf(dataset, orders, shard);
  double total = 0;
  for (const PlacedChunk& chunk : chunks) total += static_cast<double>(chunk.indices.size());
  Progress progress(callback, total);
  for (const auto& [split, indices] : chunks) {
    ExplainChunk({dataset.splits.at(split), indices}, score, scores[split]);
    const absl::Status status = progress.Advance(Activity::kExplaining, std::ssize(indices));
    if (!status.ok()) return status;
  }
  return scores;
}

absl::StatusOr<Scores> ExplainData(Measure measure, const EncodedDataset& dataset) {
  const DataMeasure* row = FindRow(kDataMeasures, measure);
  if (row == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("measure ", std::string(Name(measure)), " is not computed from data alone"));
  }
  if (absl::Status status = CheckData(dataset); !status.ok()) return status;
  return row->score(dataset);
}

}  // namespace roar::ml
