#include "worker/ml/explain/measures.h"

namespace roar::ml {

ScoreFunction AttentionMeasure(Classifier& model) {
  return [&model](const Batch& batch) {
    const torch::NoGradGuard no_gradient;
    return model.Classify(batch, model.Embed(batch)).attention;
  };
}

}  // namespace roar::ml
