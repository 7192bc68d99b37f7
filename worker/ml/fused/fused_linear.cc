#include "worker/ml/fused/fused_linear.h"

#include <algorithm>

namespace roar::ml {

void FusedLinear::Forward(std::int64_t rows, const float* in, float* out) const {
  for (std::int64_t row = 0; row < rows; ++row) std::copy_n(weights_.bias, out_size_, out + row * out_size_);
  MultiplyTransposed({rows, out_size_, in_size_}, in, weights_.weight, out, Into::kAdd);
}

void FusedLinear::Backward(std::int64_t rows, const float* d_out, float* d_in, Into into) const {
  Multiply({rows, in_size_, out_size_}, d_out, weights_.weight, d_in, into);
}

void FusedLinear::WeightGradients(std::int64_t rows, const float* in, const float* d_out) const {
  TransposedMultiply({out_size_, in_size_, rows}, d_out, in, gradients_.weight);
  SumRows(rows, out_size_, d_out, gradients_.bias);
}

void SumRows(std::int64_t rows, std::int64_t columns, const float* values, float* sums) {
  const Kernels& kernels = BestKernels();
  std::fill_n(sums, columns, 0.0f);
  for (std::int64_t row = 0; row < rows; ++row) kernels.scale_add(columns, 1, values + row * columns, sums, sums);
}

}  // namespace roar::ml
