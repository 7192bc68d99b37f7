#include "worker/ml/explain/measures.h"

namespace roar::ml {

void TrueClassGradient(const Chunk& chunk, std::int64_t copies, std::int64_t class_count,
                       std::vector<float>& d_logits) {
  d_logits.assign(chunk.indices.size() * static_cast<std::size_t>(copies * class_count), 0.0f);
  float* row = d_logits.data();
  for (const std::int64_t index : chunk.indices) {
    for (std::int64_t copy = 0; copy < copies; ++copy, row += class_count) row[chunk.examples[index].label] = 1.0f;
  }
}

}  // namespace roar::ml
