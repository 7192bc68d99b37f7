#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worker/ml/fused/fused_classifier.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

// Replaces `batch` by the examples at `indices`, in that order, their first sequences once each.
void PackBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
               std::int64_t vocabulary_size, FusedBatch& batch);

// The same with every first sequence once per scale: sequence i * scales.size() + k is example i at scales[k].
void PackScaledBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
                     std::span<const float> scales, std::int64_t vocabulary_size, FusedBatch& batch);

// The order of the examples by length of the first sequence, equal ones as they stand. Its consecutive pieces are the
// chunks of evaluating and explaining: texts of one length, whatever the masks, since a mask keeps the length.
std::vector<std::int64_t> OrderByLength(const std::vector<EncodedExample>& examples);

}  // namespace roar::ml
