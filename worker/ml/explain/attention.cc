#include <algorithm>
#include <memory>

#include "worker/ml/explain/measures.h"

namespace roar::ml {

ScoreChunk AttentionMeasure(const ExplainedModel& model) {
  return [model, batch = std::make_shared<FusedBatch>()](const Chunk& chunk, float* scores) {
    PackBatch(chunk.examples, chunk.indices, model.shape.vocabulary_size, *batch);
    model.classifier.Forward(*batch);
    std::copy_n(model.classifier.attention(), batch->first.token_count(), scores);
  };
}

}  // namespace roar::ml
