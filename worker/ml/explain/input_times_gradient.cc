#include <cmath>
#include <memory>

#include "worker/ml/explain/measures.h"

namespace roar::ml {

ScoreChunk InputTimesGradientMeasure(const ExplainedModel& model) {
  return [model, batch = std::make_shared<FusedBatch>(), d_logits = std::vector<float>()](const Chunk& chunk,
                                                                                          float* scores) mutable {
    PackBatch(chunk.examples, chunk.indices, model.shape.vocabulary_size, *batch);
    model.classifier.Forward(*batch);
    TrueClassGradient(chunk, 1, model.class_count, d_logits);
    model.classifier.Backward(d_logits.data());
    model.classifier.first_encoder().InputGradientDots(scores);
    for (std::int64_t t = 0; t < batch->first.token_count(); ++t) scores[t] = std::abs(scores[t]);
  };
}

}  // namespace roar::ml
