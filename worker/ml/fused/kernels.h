#pragma once

#include <cstdint>
#include <span>

// The elementwise arithmetic of the fused model, written once (kernels_body.h) and compiled once per instruction set.
// Matrix products are the BLAS library's. All arrays are float32 and row by row; rows need no alignment. Results differ
// between instruction sets in the last bits (fused multiply-add), never between calls.

namespace roar::ml {

// What a step of Adam needs to know of its number.
struct AdamStep {
  float step_size = 0;           // learning rate / (1 - beta1^step)
  float inverse_correction = 0;  // 1 / sqrt(1 - beta2^step)
};

inline constexpr double kAdamBeta1 = 0.9, kAdamBeta2 = 0.999;

struct AdamConstants {
  float beta1 = static_cast<float>(kAdamBeta1);
  float one_minus_beta1 = static_cast<float>(1 - kAdamBeta1);  // of the exact number, as LibTorch has it
  float beta2 = static_cast<float>(kAdamBeta2);
  float one_minus_beta2 = static_cast<float>(1 - kAdamBeta2);
  float epsilon = 1e-8f;
  float weight_decay = 0;
};

// The state of Adam (AMSGrad) for `count` weights.
struct AdamMoments {
  float* mean;
  float* square;
  float* largest_square;
};

struct Kernels {
  // "portable", "avx2" or "avx512".
  const char* name;

  // out = scale * x + y; `out` may be x or y.
  void (*scale_add)(std::int64_t count, float scale, const float* x, const float* y, float* out);
  float (*dot)(std::int64_t count, const float* x, const float* y);
  // x = tanh(x)
  void (*tanh)(std::int64_t count, float* x);
  // out = x * (1 - y^2): what passes back through y = tanh(.). `out` may be x.
  void (*tanh_backward)(std::int64_t count, const float* x, const float* y, float* out);

  // One LSTM time step of `rows` sequences. gates: [rows, 4 * hidden], before the activation on the way in and after it
  // on the way out, in the order input, forget, output, cell. previous_cell may be null: zeros. [rows, hidden] the
  // rest.
  void (*lstm_forward)(std::int64_t rows, std::int64_t hidden, float* gates, const float* previous_cell, float* cell,
                       float* state);
  // Its gradient. gates: as lstm_forward left them; on the way out the gradient before the activation. d_state: of the
  // state, from above; carried_state and d_cell: from the time step after; d_cell leaves for the time step before.
  void (*lstm_backward)(std::int64_t rows, std::int64_t hidden, float* gates, const float* previous_cell,
                        const float* cell, const float* d_state, const float* carried_state, float* d_cell);

  // `step_count` steps of Adam in its AMSGrad form (Reddi et al.; torch::optim::Adam), one after the other, in one pass
  // over memory. `gradient` belongs to the last of them and may be null: zero, as it is for the others.
  void (*adam)(std::int64_t count, const AdamConstants& constants, const AdamStep* steps, std::int64_t step_count,
               const float* gradient, float* weights, const AdamMoments& moments);
};

// The fastest that this machine can run; chosen once.
const Kernels& BestKernels();
// All that this machine can run, portable first.
std::span<const Kernels* const> SupportedKernels();

}  // namespace roar::ml
