#include <algorithm>
#include <cmath>
#include <memory>

#include "worker/ml/chunk_sizes.h"
#include "worker/ml/explain/measures.h"

namespace roar::ml {
namespace {

class IntegratedGradient {
 public:
  explicit IntegratedGradient(const ExplainedModel& model) : model_(model) {
    for (int step = 1; step <= kIntegratedGradientSteps; ++step) {
      scales_.push_back(static_cast<float>(step) / kIntegratedGradientSteps);
    }
  }

  // Signed. Returns where the scores end.
  float* Score(const Chunk& chunk, float* scores) {
    for (std::span<const std::int64_t> rest = chunk.indices; !rest.empty();) {
      const auto texts =
          FirstTexts(chunk.examples, rest, kMostTextsIntegrated, kMostTokensAtOnce / kIntegratedGradientSteps);
      rest = rest.subspan(texts.size());
      scores = ScoreTexts({chunk.examples, texts}, scores);
    }
    return scores;
  }

 private:
  float* ScoreTexts(const Chunk& texts, float* scores) {
    std::int64_t tokens = 0;
    for (const std::int64_t index : texts.indices) tokens += std::ssize(texts.examples[index].tokens);
    std::fill_n(scores, tokens, 0.0f);
    const auto steps_at_once = static_cast<std::size_t>(std::max(std::int64_t{1}, kMostTokensAtOnce / tokens));
    for (std::span<const float> rest(scales_); !rest.empty();) {
      const auto scales = rest.first(std::min(rest.size(), steps_at_once));
      rest = rest.subspan(scales.size());
      AddSteps(texts, scales, scores);
    }
    for (std::int64_t t = 0; t < tokens; ++t) scores[t] /= kIntegratedGradientSteps;
    return scores + tokens;
  }

  void AddSteps(const Chunk& texts, std::span<const float> scales, float* scores) {
    PackScaledBatch(texts.examples, texts.indices, scales, model_.shape.vocabulary_size, batch_);
    model_.classifier.Forward(batch_);
    TrueClassGradient(texts, std::ssize(scales), model_.class_count, d_logits_);
    model_.classifier.Backward(d_logits_.data());
    dots_.resize(static_cast<std::size_t>(batch_.first.token_count()));
    model_.classifier.first_encoder().InputGradientDots(dots_.data());

    const float* dot = dots_.data();
    for (const std::int64_t index : texts.indices) {
      const std::int64_t length = std::ssize(texts.examples[index].tokens);
      for (const float scale : scales) {
        const float weight =
            model_.settings.integrated_gradient_variant == IntegratedGradientVariant::kPublished ? scale : 1.0f;
        for (std::int64_t t = 0; t < length; ++t) scores[t] += weight * *dot++;
      }
      scores += length;
    }
  }

  ExplainedModel model_;
  std::vector<float> scales_;
  FusedBatch batch_;
  std::vector<float> d_logits_, dots_;
};

}  // namespace

ScoreChunk SignedIntegratedGradient(const ExplainedModel& model) {
  return [measure = std::make_shared<IntegratedGradient>(model)](const Chunk& chunk, float* scores) {
    measure->Score(chunk, scores);
  };
}

ScoreChunk IntegratedGradientMeasure(const ExplainedModel& model) {
  return [measure = std::make_shared<IntegratedGradient>(model)](const Chunk& chunk, float* scores) {
    float* const end = measure->Score(chunk, scores);
    std::transform(scores, end, scores, [](float score) { return std::abs(score); });
  };
}

}  // namespace roar::ml
