#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worker/ml/encoded_dataset.h"
#include "worker/ml/fused/fused_classifier.h"

namespace roar::ml {

// Replaces `batch` by the examples at `indices`, in that order, their first sequences once each.
void PackBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
               std::int64_t vocabulary_size, FusedBatch& batch);

// The same with every first sequence once per scale: sequence i * scales.size() + k is example i at scales[k].
void PackScaledBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices,
                     std::span<const float> scales, std::int64_t vocabulary_size, FusedBatch& batch);

// The texts to work on together, from the front of `rest`, which is not empty: at most `most_texts` of at most
// `most_tokens` together, or one that alone is longer.
std::span<const std::int64_t> FirstTexts(const std::vector<EncodedExample>& examples,
                                         std::span<const std::int64_t> rest, std::size_t most_texts,
                                         std::int64_t most_tokens);

// The order of the examples by length of the first sequence, equal ones as they stand. Its consecutive pieces are the
// chunks of evaluating and explaining: texts of one length, whatever the masks, since a mask keeps the length.
std::vector<std::int64_t> OrderByLength(const std::vector<EncodedExample>& examples);

}  // namespace roar::ml
