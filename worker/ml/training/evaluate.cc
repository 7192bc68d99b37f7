#include "worker/ml/training/evaluate.h"

#include <algorithm>

#include "core/faithfulness/classification.h"

namespace roar::ml {

absl::StatusOr<SplitMetrics> Evaluate(Classifier& model, const std::vector<EncodedExample>& examples,
                                      std::int64_t class_count, Progress& progress) {
  constexpr std::int64_t kChunkSize = 256;
  const torch::NoGradGuard no_gradient;
  model.eval();
  const std::int64_t size = std::ssize(examples);
  std::vector<std::int64_t> predictions, labels;
  double loss_sum = 0;
  for (std::int64_t first = 0; first < size; first += kChunkSize) {
    const Batch batch = MakeChunk(examples, first, std::min(kChunkSize, size - first));
    const torch::Tensor logits = model.Classify(batch, model.Embed(batch)).logits;
    const torch::Tensor losses =
        torch::nn::functional::cross_entropy(logits.to(torch::kDouble), batch.labels,
                                             torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
    loss_sum += losses.item<double>();
    const torch::Tensor predicted = logits.argmax(-1);
    predictions.insert(predictions.end(), predicted.data_ptr<std::int64_t>(),
                       predicted.data_ptr<std::int64_t>() + batch.size());
    labels.insert(labels.end(), batch.labels.data_ptr<std::int64_t>(),
                  batch.labels.data_ptr<std::int64_t>() + batch.size());
    if (const absl::Status status = progress.Advance(Activity::kEvaluating, batch.size()); !status.ok()) return status;
  }
  const auto scores = faithfulness::Classify(predictions, labels, class_count);
  if (!scores.ok()) return scores.status();
  return SplitMetrics{.examples = size,
                      .loss = loss_sum / static_cast<double>(size),
                      .accuracy = scores->accuracy,
                      .macro_f1 = scores->macro_f1,
                      .micro_f1 = scores->micro_f1};
}

}  // namespace roar::ml
