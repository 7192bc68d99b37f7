#pragma once

// The kernels' one source. Included by a file per instruction set, which defines ROAR_KERNELS (the name of its table)
// and is compiled with that set's flags. It uses nothing of the standard library that could be compiled into a function
// shared with other files: the linker would keep the version with the foreign instructions.

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "worker/ml/fused/kernels.h"

namespace roar::ml {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
typedef float Vector __attribute__((vector_size(4 * kLanes)));
typedef int IntVector __attribute__((vector_size(4 * kLanes)));

#define ROAR_INLINE inline __attribute__((always_inline))

ROAR_INLINE Vector Broadcast(float value) { return value - Vector{}; }

ROAR_INLINE Vector Load(const float* from, std::int64_t count) {
  Vector value{};
  if (count >= kLanes) {
    __builtin_memcpy(&value, from, sizeof value);
  } else {
    for (std::int64_t i = 0; i < count; ++i) value[i] = from[i];
  }
  return value;
}

ROAR_INLINE void Store(const Vector& value, float* to, std::int64_t count) {
  if (count >= kLanes) {
    __builtin_memcpy(to, &value, sizeof value);
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = value[i];
  }
}

ROAR_INLINE Vector Sqrt(Vector x) {
#if defined(__AVX512F__)
  return (Vector)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
  return (Vector)_mm256_sqrt_ps((__m256)x);
#else
  for (int lane = 0; lane < kLanes; ++lane) x[lane] = __builtin_sqrtf(x[lane]);
  return x;
#endif
}

// Of x and a bound. The comparisons are such that a NaN in x stays one.
ROAR_INLINE Vector Max(Vector x, Vector bound) { return x < bound ? bound : x; }
ROAR_INLINE Vector Min(Vector x, Vector bound) { return x > bound ? bound : x; }

// exp(x) = scale * (1 + rest), with `scale` a power of two and rest = exp(r) - 1 for an r in [-ln 2 / 2, ln 2 / 2].
struct Exponential {
  Vector scale;
  Vector rest;
};

// |x| at most 87, where float32 has exponents left. The series of exp to the seventh power errs by 1e-8 of r.
ROAR_INLINE Exponential Exp(Vector x) {
  constexpr float kLog2E = 1.44269504f;
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  // Adding 1.5 * 2^23 rounds to an integer, which then stands in the low bits.
  constexpr float kRound = 12582912.f;
  constexpr int kRoundBits = 0x4B400000, kExponentBias = 127;
  const Vector rounded = x * kLog2E + kRound;
  const Vector n = rounded - kRound;
  const Vector r = (x - n * kLn2High) - n * kLn2Low;
  Vector series = Broadcast(1.f / 5040);
  series = series * r + 1.f / 720;
  series = series * r + 1.f / 120;
  series = series * r + 1.f / 24;
  series = series * r + 1.f / 6;
  series = series * r + 1.f / 2;
  const IntVector exponent = ((IntVector)rounded - kRoundBits + kExponentBias) << 23;
  return {(Vector)exponent, r + r * r * series};
}

ROAR_INLINE Vector Sigmoid(Vector x) {
  const Exponential e = Exp(Max(Min(-x, Broadcast(87.f)), Broadcast(-87.f)));
  return 1.f / (1.f + (e.scale + e.scale * e.rest));
}

// (exp(2x) - 1) / (exp(2x) + 1), where exp(2x) - 1 is exact in its leading digits near 0. 1 from 9 on.
ROAR_INLINE Vector Tanh(Vector x) {
  const Exponential e = Exp(Max(Min(x + x, Broadcast(18.f)), Broadcast(-18.f)));
  const Vector less_one = e.scale * e.rest + (e.scale - 1.f);
  return less_one / (less_one + 2.f);
}

// body(offset, lanes) over 0..count in steps of whole vectors, the last one maybe shorter.
template <typename Body>
ROAR_INLINE void OverVectors(std::int64_t count, Body body) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) body(i, std::int64_t{kLanes});
  if (i < count) body(i, count - i);
}

void ScaleAdd(std::int64_t count, float scale, const float* x, const float* y, float* out) {
  OverVectors(
      count, [=](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
        Store(Load(x + i, lanes) * scale + Load(y + i, lanes), out + i, lanes);
      });
}

float Dot(std::int64_t count, const float* x, const float* y) {
  Vector sum{};
  OverVectors(
      count, [&](std::int64_t i, std::int64_t lanes)
                 __attribute__((always_inline)) { sum += Load(x + i, lanes) * Load(y + i, lanes); });
  float total = 0;
  for (int lane = 0; lane < kLanes; ++lane) total += sum[lane];
  return total;
}

void TanhInPlace(std::int64_t count, float* x) {
  OverVectors(
      count, [=](std::int64_t i, std::int64_t lanes)
                 __attribute__((always_inline)) { Store(Tanh(Load(x + i, lanes)), x + i, lanes); });
}

void TanhBackward(std::int64_t count, const float* x, const float* y, float* out) {
  OverVectors(
      count, [=](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
        const Vector value = Load(y + i, lanes);
        Store(Load(x + i, lanes) * (1.f - value * value), out + i, lanes);
      });
}

void LstmForward(std::int64_t rows, std::int64_t hidden, float* gates, const float* previous_cell, float* cell,
                 float* state) {
  for (std::int64_t row = 0; row < rows; ++row) {
    float* const input = gates + row * 4 * hidden;
    float* const forget = input + hidden;
    float* const output = forget + hidden;
    float* const candidate = output + hidden;
    const float* const before = previous_cell == nullptr ? nullptr : previous_cell + row * hidden;
    float* const after = cell + row * hidden;
    float* const out = state + row * hidden;
    OverVectors(
        hidden, [=](std::int64_t j, std::int64_t lanes) __attribute__((always_inline)) {
          const Vector i = Sigmoid(Load(input + j, lanes));
          const Vector f = Sigmoid(Load(forget + j, lanes));
          const Vector o = Sigmoid(Load(output + j, lanes));
          const Vector g = Tanh(Load(candidate + j, lanes));
          const Vector c = before == nullptr ? i * g : f * Load(before + j, lanes) + i * g;
          Store(i, input + j, lanes);
          Store(f, forget + j, lanes);
          Store(o, output + j, lanes);
          Store(g, candidate + j, lanes);
          Store(c, after + j, lanes);
          Store(o * Tanh(c), out + j, lanes);
        });
  }
}

void LstmBackward(std::int64_t rows, std::int64_t hidden, float* gates, const float* previous_cell, const float* cell,
                  const float* d_state, const float* carried_state, float* d_cell) {
  for (std::int64_t row = 0; row < rows; ++row) {
    float* const input = gates + row * 4 * hidden;
    float* const forget = input + hidden;
    float* const output = forget + hidden;
    float* const candidate = output + hidden;
    const float* const before = previous_cell == nullptr ? nullptr : previous_cell + row * hidden;
    const std::int64_t at = row * hidden;
    OverVectors(
        hidden, [=](std::int64_t j, std::int64_t lanes) __attribute__((always_inline)) {
          const Vector i = Load(input + j, lanes);
          const Vector f = Load(forget + j, lanes);
          const Vector o = Load(output + j, lanes);
          const Vector g = Load(candidate + j, lanes);
          const Vector tanh_c = Tanh(Load(cell + at + j, lanes));
          const Vector d_h = Load(d_state + at + j, lanes) + Load(carried_state + at + j, lanes);
          const Vector d_c = Load(d_cell + at + j, lanes) + d_h * o * (1.f - tanh_c * tanh_c);
          const Vector c_before = before == nullptr ? Vector{} : Load(before + j, lanes);
          Store(d_c * g * i * (1.f - i), input + j, lanes);
          Store(d_c * c_before * f * (1.f - f), forget + j, lanes);
          Store(d_h * tanh_c * o * (1.f - o), output + j, lanes);
          Store(d_c * i * (1.f - g * g), candidate + j, lanes);
          Store(d_c * f, d_cell + at + j, lanes);
        });
  }
}

// The state of one vector of weights.
struct AdamVector {
  Vector weight, mean, square, largest_square;
};

ROAR_INLINE void AdamUpdate(const AdamConstants& constants, const AdamStep& step, Vector gradient, AdamVector& state) {
  gradient += state.weight * constants.weight_decay;
  state.mean = state.mean * constants.beta1 + gradient * constants.one_minus_beta1;
  state.square = state.square * constants.beta2 + gradient * gradient * constants.one_minus_beta2;
  state.largest_square = Max(state.square, state.largest_square);
  state.weight -=
      state.mean * step.step_size / (Sqrt(state.largest_square) * step.inverse_correction + constants.epsilon);
}

// kVectors at a time, so that their square roots and divisions overlap.
template <int kVectors>
ROAR_INLINE void AdamBlock(std::int64_t at, std::int64_t lanes, const AdamConstants& constants, const AdamStep* steps,
                           std::int64_t step_count, const float* gradient, float* weights, const AdamMoments& moments) {
  AdamVector states[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    const std::int64_t from = at + v * kLanes;
    states[v] = {Load(weights + from, lanes), Load(moments.mean + from, lanes), Load(moments.square + from, lanes),
                 Load(moments.largest_square + from, lanes)};
  }
  const std::int64_t quiet = step_count - (gradient != nullptr ? 1 : 0);
  for (std::int64_t k = 0; k < quiet; ++k) {
    for (int v = 0; v < kVectors; ++v) AdamUpdate(constants, steps[k], Vector{}, states[v]);
  }
  for (int v = 0; v < kVectors; ++v) {
    const std::int64_t to = at + v * kLanes;
    if (gradient != nullptr) AdamUpdate(constants, steps[quiet], Load(gradient + to, lanes), states[v]);
    Store(states[v].weight, weights + to, lanes);
    Store(states[v].mean, moments.mean + to, lanes);
    Store(states[v].square, moments.square + to, lanes);
    Store(states[v].largest_square, moments.largest_square + to, lanes);
  }
}

void Adam(std::int64_t count, const AdamConstants& constants, const AdamStep* steps, std::int64_t step_count,
          const float* gradient, float* weights, const AdamMoments& moments) {
  constexpr int kVectors = 4;
  constexpr std::int64_t kBlock = kVectors * kLanes;
  const std::int64_t in_blocks = count / kBlock * kBlock;
  for (std::int64_t at = 0; at < in_blocks; at += kBlock) {
    AdamBlock<kVectors>(at, kLanes, constants, steps, step_count, gradient, weights, moments);
  }
  OverVectors(
      count - in_blocks, [&](std::int64_t i, std::int64_t lanes) __attribute__((always_inline)) {
        AdamBlock<1>(in_blocks + i, lanes, constants, steps, step_count, gradient, weights, moments);
      });
}

}  // namespace

extern const Kernels ROAR_KERNELS;
const Kernels ROAR_KERNELS = {ROAR_KERNELS_NAME, ScaleAdd,    Dot,          TanhInPlace,
                              TanhBackward,      LstmForward, LstmBackward, Adam};

}  // namespace roar::ml
