#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <vector>

#include "worker/ml/encoded_dataset.h"

namespace roar::ml {

// One sequence of each example of a batch, padded with id 0 to the longest. Time comes first: the recurrence reads
// whole time steps.
struct PaddedSequences {
  torch::Tensor tokens;   // int64 [time, batch]
  torch::Tensor lengths;  // int64 [batch]
  // int64 [time * batch]: the row t * batch + b holds the row that stands there when every sequence is read from its
  // own end, with padding left in place. Its own inverse.
  torch::Tensor reversal;
};

struct Batch {
  PaddedSequences first;
  PaddedSequences second;  // undefined tensors for one-sequence data sets
  torch::Tensor labels;    // int64 [batch]
  std::int64_t size() const { return labels.size(0); }
};

// The examples at `indices`, in that order.
Batch MakeBatch(const std::vector<EncodedExample>& examples, std::span<const std::int64_t> indices);

}  // namespace roar::ml
