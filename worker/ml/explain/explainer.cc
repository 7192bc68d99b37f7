#include "worker/ml/explain/explainer.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/training/flat_parameters.h"
#include "worker/ml/training/progress.h"

namespace roar::ml {
namespace {

struct Row {
  Measure measure;
  ScoreChunk (*make)(const ExplainedModel&);
};
constexpr Row kMeasures[] = {
    {Measure::kAttention, AttentionMeasure},
    {Measure::kGradient, GradientMeasure},
    {Measure::kInputTimesGradient, InputTimesGradientMeasure},
    {Measure::kIntegratedGradient, IntegratedGradientMeasure},
};

// Part of what a score is: a change changes the last bits.
constexpr std::size_t kChunkSize = 32;

absl::StatusOr<std::vector<std::vector<float>>> ExplainSplit(const std::vector<EncodedExample>& examples,
                                                             const ScoreChunk& score, Progress& progress) {
  std::vector<std::vector<float>> scores(examples.size());
  std::vector<float> of_chunk;
  const std::vector<std::int64_t> order = OrderByLength(examples);
  for (std::span<const std::int64_t> rest(order); !rest.empty();) {
    const Chunk chunk{examples, rest.first(std::min(rest.size(), kChunkSize))};
    rest = rest.subspan(chunk.indices.size());
    std::size_t tokens = 0;
    for (const std::int64_t index : chunk.indices) tokens += examples[index].tokens.size();
    of_chunk.resize(tokens);
    score(chunk, of_chunk.data());
    const float* from = of_chunk.data();
    for (const std::int64_t index : chunk.indices) {
      scores[index].assign(from, from + examples[index].tokens.size());
      from += examples[index].tokens.size();
    }
    const absl::Status status = progress.Advance(Activity::kExplaining, std::ssize(chunk.indices));
    if (!status.ok()) return status;
  }
  return scores;
}

}  // namespace

absl::StatusOr<Scores> ExplainWith(Classifier& model, const EncodedDataset& dataset, const ExplainSettings& settings,
                                   const ProgressCallback& callback) {
  const auto* row = std::find_if(std::begin(kMeasures), std::end(kMeasures),
                                 [&](const Row& candidate) { return candidate.measure == settings.measure; });
  if (row == std::end(kMeasures)) {
    return absl::InvalidArgumentError(
        absl::StrCat("measure ", std::string(Name(settings.measure)), " is not computed from a model"));
  }
  const FlatParameters parameters(model);
  const auto classifier = model.Fuse(parameters.Find());
  const torch::Tensor embedding = model.EmbeddingMatrix();
  const ScoreChunk score = row->make(
      {*classifier, embedding.data_ptr<float>(), classifier->first_encoder().shape(), dataset.class_count, settings});

  double total = 0;
  for (const auto& [split, examples] : dataset.splits) total += static_cast<double>(examples.size());
  Progress progress(callback, total);
  Scores scores;
  for (const auto& [split, examples] : dataset.splits) {
    auto of_split = ExplainSplit(examples, score, progress);
    if (!of_split.ok()) return of_split.status();
    scores[split] = *std::move(of_split);
  }
  return scores;
}

}  // namespace roar::ml
