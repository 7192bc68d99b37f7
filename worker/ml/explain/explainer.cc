#include "worker/ml/explain/explainer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/training/progress.h"

namespace roar::ml {
namespace {

struct Row {
  Measure measure;
  ScoreFunction (*make)(Classifier&);
};
constexpr Row kMeasures[] = {
    {Measure::kAttention, AttentionMeasure},
    {Measure::kGradient, GradientMeasure},
};

// Part of what a score is: a change changes the last bits.
constexpr std::int64_t kChunkSize = 64;

absl::StatusOr<std::vector<std::vector<float>>> ExplainSplit(const std::vector<EncodedExample>& examples,
                                                             const ScoreFunction& score, Progress& progress) {
  std::vector<std::vector<float>> scores;
  scores.reserve(examples.size());
  const std::int64_t size = std::ssize(examples);
  for (std::int64_t first = 0; first < size; first += kChunkSize) {
    const Batch batch = MakeChunk(examples, first, std::min(kChunkSize, size - first));
    const torch::Tensor by_example = score(batch).t().contiguous();
    for (std::int64_t b = 0; b < batch.size(); ++b) {
      const float* row = by_example.data_ptr<float>() + b * by_example.size(1);
      scores.emplace_back(row, row + examples[first + b].tokens.size());
    }
    if (const auto status = progress.Advance(Activity::kExplaining, batch.size()); !status.ok()) return status;
  }
  return scores;
}

}  // namespace

absl::StatusOr<Scores> ExplainWith(Classifier& model, const EncodedDataset& dataset, Measure measure,
                                   const ProgressCallback& callback) {
  const auto* row = std::find_if(std::begin(kMeasures), std::end(kMeasures),
                                 [&](const Row& candidate) { return candidate.measure == measure; });
  if (row == std::end(kMeasures)) {
    return absl::InvalidArgumentError(
        absl::StrCat("measure ", std::string(Name(measure)), " is not computed from a model"));
  }
  model.eval();
  for (torch::Tensor& parameter : model.parameters()) parameter.requires_grad_(false);
  const ScoreFunction score = row->make(model);

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
