#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/experiment/job_spec.h"
#include "worker/ml/fused/fused_batch.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

// A model in evaluation, and what a measure needs to know of it. All of it outlives the measures made from it.
struct ExplainedModel {
  FusedClassifier& classifier;
  // Of the first sequence, [vocabulary_size, embedding_size].
  const float* embedding_matrix = nullptr;
  EncoderShape shape;
  std::int64_t class_count = 0;
  ExplainSettings settings;
};

// The texts explained together. Part of what a score is: another composition changes the last bits.
struct Chunk {
  const std::vector<EncodedExample>& examples;
  std::span<const std::int64_t> indices;
};

// Scores of the texts of a chunk, of their true class, one text after the other with all its tokens; what stands at
// special tokens means nothing.
using ScoreChunk = std::function<void(const Chunk& chunk, float* scores)>;

// Each prepares what is needed once per model. Formulas: method-recursive-roar.md section 3.

// alpha_t, the attention weight.
ScoreChunk AttentionMeasure(const ExplainedModel& model);
// The norm of E g_t, the gradient of the true class's logit with respect to the one-hot token.
ScoreChunk GradientMeasure(const ExplainedModel& model);
// |g_t . e_t|
ScoreChunk InputTimesGradientMeasure(const ExplainedModel& model);
// |mean over i = 1..N of w_i (g_t at embeddings scaled by i/N) . e_t|, with w_i = i/N in the published variant and 1 in
// the textbook's, from a baseline of zeros. Only the first sequence is scaled.
ScoreChunk IntegratedGradientMeasure(const ExplainedModel& model);

inline constexpr int kIntegratedGradientSteps = 50;

// The same before the absolute value: in the textbook variant a text's scores sum to about what its logit is above that
// of the baseline (completeness; exactly in the limit of many steps).
ScoreChunk SignedIntegratedGradient(const ExplainedModel& model);

// Of a word's presence in a text of the train split and the label; a special token's is 0.
Scores MutualInformationMeasure(const EncodedDataset& dataset);

// The gradient of the sum of the true classes' logits with respect to the logits of `batch`, of which sequence i is
// example indices[i / copies]. [first.count, class_count]
void TrueClassGradient(const Chunk& chunk, std::int64_t copies, std::int64_t class_count, std::vector<float>& d_logits);

}  // namespace roar::ml
