#include "worker/ml/training/evaluate.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/faithfulness/classification.h"
#include "worker/ml/chunk_sizes.h"
#include "worker/ml/fused/fused_batch.h"
#include "worker/ml/training/softmax.h"

namespace roar::ml {
absl::StatusOr<SplitMetrics> Evaluate(FusedClassifier& classifier, const EncodedDataset& dataset, Split split,
                                      Progress& progress) {
  const std::vector<EncodedExample>& examples = dataset.splits.at(split);
  const std::int64_t size = std::ssize(examples), classes = dataset.class_count;
  std::vector<std::int64_t> predictions(examples.size()), labels(examples.size());
  std::vector<double> probabilities(examples.size() * static_cast<std::size_t>(classes));
  double loss_sum = 0;

  FusedBatch batch;
  const std::vector<std::int64_t> order = OrderByLength(examples);
  for (std::span<const std::int64_t> rest(order); !rest.empty();) {
    const auto chunk = FirstTexts(examples, rest, kMostTextsEvaluated, kMostTokensAtOnce);
    rest = rest.subspan(chunk.size());
    PackBatch(examples, chunk, dataset.vocabulary_size, batch);
    const float* logits = classifier.Forward(batch);
    for (const std::int64_t index : chunk) {
      labels[index] = examples[index].label;
      predictions[index] = std::max_element(logits, logits + classes) - logits;
      const std::span<double> of_example(probabilities.data() + index * classes, static_cast<std::size_t>(classes));
      loss_sum += SoftmaxLoss({logits, static_cast<std::size_t>(classes)}, examples[index].label, of_example);
      logits += classes;
    }
    if (const absl::Status status = progress.Advance(Activity::kEvaluating, std::ssize(chunk)); !status.ok()) {
      return status;
    }
  }
  const auto scores = faithfulness::Classify(predictions, labels, classes);
  if (!scores.ok()) return scores.status();
  SplitMetrics metrics{.examples = size,
                       .loss = loss_sum / static_cast<double>(size),
                       .accuracy = scores->accuracy,
                       .macro_f1 = scores->macro_f1,
                       .micro_f1 = scores->micro_f1};
  if (!std::isfinite(metrics.loss)) return metrics;
  const auto auroc = faithfulness::Auroc(probabilities, labels, classes);
  if (!auroc.ok()) return auroc.status();
  metrics.auroc = *auroc;
  return metrics;
}

}  // namespace roar::ml
