#pragma once

#include <cstdint>

#include "worker/ml/fused/kernels.h"
#include "worker/ml/fused/matrix.h"

namespace roar::ml {

// Laid out as torch::nn::Linear has them.
struct LinearMemory {
  float* weight = nullptr;  // [out_size, in_size]
  float* bias = nullptr;    // [out_size]
};

// y = W x + b, of many rows at once.
class FusedLinear {
 public:
  FusedLinear(std::int64_t in_size, std::int64_t out_size, const LinearMemory& weights, const LinearMemory& gradients)
      : in_size_(in_size), out_size_(out_size), weights_(weights), gradients_(gradients) {}

  // in: [rows, in_size]; out: [rows, out_size].
  void Forward(std::int64_t rows, const float* in, float* out) const;
  // d_in: [rows, in_size], replaced or added to.
  void Backward(std::int64_t rows, const float* d_out, float* d_in, Into into = Into::kReplace) const;
  // Replaces the gradients of weight and bias.
  void WeightGradients(std::int64_t rows, const float* in, const float* d_out) const;

 private:
  std::int64_t in_size_, out_size_;
  LinearMemory weights_, gradients_;
};

// sums: [columns], replaced by the sum over the rows.
void SumRows(std::int64_t rows, std::int64_t columns, const float* values, float* sums);

}  // namespace roar::ml
