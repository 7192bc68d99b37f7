#include <algorithm>
#include <cmath>
#include <memory>

#include "worker/ml/explain/measures.h"

namespace roar::ml {
namespace {

// A few texts at all steps make a batch of a size at which the recurrence's products are fast and its memory stays in
// the cache. Part of what a score is, like the chunk.
constexpr std::size_t kTextsAtOnce = 4;

class IntegratedGradient {
 public:
  explicit IntegratedGradient(const ExplainedModel& model) : model_(model) {
    for (int step = 1; step <= kIntegratedGradientSteps; ++step) {
      scales_.push_back(static_cast<float>(step) / kIntegratedGradientSteps);
    }
  }

  void Score(const Chunk& chunk, float* scores) {
    for (std::span<const std::int64_t> rest = chunk.indices; !rest.empty();) {
      const auto texts = rest.first(std::min(rest.size(), kTextsAtOnce));
      rest = rest.subspan(texts.size());
      scores = ScoreTexts({chunk.examples, texts}, scores);
    }
  }

 private:
  // Returns where the scores end.
  float* ScoreTexts(const Chunk& texts, float* scores) {
    PackScaledBatch(texts.examples, texts.indices, scales_, model_.shape.vocabulary_size, batch_);
    model_.classifier.Forward(batch_);
    TrueClassGradient(texts, std::ssize(scales_), model_.class_count, d_logits_);
    model_.classifier.Backward(d_logits_.data());
    dots_.resize(static_cast<std::size_t>(batch_.first.token_count()));
    model_.classifier.first_encoder().InputGradientDots(dots_.data());

    const float* dot = dots_.data();
    for (const std::int64_t index : texts.indices) {
      const std::int64_t length = std::ssize(texts.examples[index].tokens);
      std::fill_n(scores, length, 0.0f);
      for (const float scale : scales_) {
        const float weight =
            model_.settings.integrated_gradient_variant == IntegratedGradientVariant::kPublished ? scale : 1.0f;
        for (std::int64_t t = 0; t < length; ++t) scores[t] += weight * *dot++;
      }
      for (std::int64_t t = 0; t < length; ++t) scores[t] = std::abs(scores[t]) / kIntegratedGradientSteps;
      scores += length;
    }
    return scores;
  }

  ExplainedModel model_;
  std::vector<float> scales_;
  FusedBatch batch_;
  std::vector<float> d_logits_, dots_;
};

}  // namespace

ScoreChunk IntegratedGradientMeasure(const ExplainedModel& model) {
  return [measure = std::make_shared<IntegratedGradient>(model)](const Chunk& chunk, float* scores) {
    measure->Score(chunk, scores);
  };
}

}  // namespace roar::ml
