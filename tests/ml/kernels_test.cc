// Every instruction set that this machine has, against plain double precision.

#include "worker/ml/fused/kernels.h"

#include <cmath>
#include <string>
#include <vector>

#include "core/experiment/random_stream.h"
#include "gtest/gtest.h"

namespace roar::ml {
namespace {

// Numbers in +-range, the same for the same count.
std::vector<float> Numbers(std::int64_t count, float range, const std::string& purpose) {
  RandomStream random(count, purpose);
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    numbers.push_back(range * (static_cast<float>(random.Below(2'000'001)) / 1e6f - 1));
  }
  return numbers;
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

class KernelsTest : public ::testing::TestWithParam<const Kernels*> {};

TEST_P(KernelsTest, TanhIsRightInItsLeadingDigitsEverywhere) {
  std::vector<float> x;
  for (float value = 1e-7f; value < 200; value *= 1.01f) x.insert(x.end(), {value, -value});
  x.insert(x.end(), {0.0f, INFINITY, -INFINITY});
  std::vector<float> y = x;
  GetParam()->tanh(std::ssize(y), y.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::tanh(static_cast<double>(x[i]));
    EXPECT_NEAR(y[i], expected, 4e-7 * std::abs(expected)) << x[i];
  }
}

TEST_P(KernelsTest, WhatIsNotANumberStaysSo) {
  const float nan = std::nanf("");
  for (int gate = 0; gate < 4; ++gate) {
    std::vector<float> gates(4 * 9, 0.5f), cell(9), state(9);
    gates[gate * 9 + 8] = nan;
    GetParam()->lstm_forward(1, 9, gates.data(), std::vector<float>(9, 1.0f).data(), cell.data(), state.data());
    EXPECT_TRUE(std::isnan(state[8])) << gate;
    EXPECT_TRUE(std::isfinite(state[7])) << gate;
  }
  std::vector<float> x(9, nan);
  GetParam()->tanh(9, x.data());
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[8]));
}

TEST_P(KernelsTest, SumsAndProductsOfEveryLength) {
  for (std::int64_t count = 0; count < 70; ++count) {
    const auto x = Numbers(count, 2, "x"), y = Numbers(count, 2, "y");
    std::vector<float> out(static_cast<std::size_t>(count) + 1, 7);
    GetParam()->scale_add(count, 0.5f, x.data(), y.data(), out.data());
    double dot = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      EXPECT_NEAR(out[i], 0.5 * x[i] + y[i], 1e-6);
      dot += static_cast<double>(x[i]) * y[i];
    }
    EXPECT_EQ(out[count], 7) << "written past the end";
    EXPECT_NEAR(GetParam()->dot(count, x.data(), y.data()), dot, 1e-4);
  }
}

TEST_P(KernelsTest, AnLstmStepAndItsGradient) {
  for (const std::int64_t hidden : {1, 3, 8, 16, 21, 32}) {
    constexpr std::int64_t kRows = 3;
    const auto before = Numbers(kRows * 4 * hidden, 3, "gates"), cell = Numbers(kRows * hidden, 2, "cell");
    auto gates = before;
    std::vector<float> next_cell(cell.size()), state(cell.size());
    GetParam()->lstm_forward(kRows, hidden, gates.data(), cell.data(), next_cell.data(), state.data());
    const auto d_state = Numbers(kRows * hidden, 1, "d_state"), carried = Numbers(kRows * hidden, 1, "carried");
    const auto d_next_cell = Numbers(kRows * hidden, 1, "d_cell");
    auto d_gates = gates;
    auto d_cell = d_next_cell;
    GetParam()->lstm_backward(kRows, hidden, d_gates.data(), cell.data(), next_cell.data(), d_state.data(),
                              carried.data(), d_cell.data());
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (std::int64_t j = 0; j < hidden; ++j) {
        const auto gate = [&](int which) { return static_cast<double>(before[(row * 4 + which) * hidden + j]); };
        const auto d_gate = [&](int which) { return d_gates[(row * 4 + which) * hidden + j]; };
        const std::int64_t at = row * hidden + j;
        const double i = Sigmoid(gate(0)), f = Sigmoid(gate(1)), o = Sigmoid(gate(2)), g = std::tanh(gate(3));
        const double c = f * cell[at] + i * g, tanh_c = std::tanh(c);
        EXPECT_NEAR(next_cell[at], c, 1e-6);
        EXPECT_NEAR(state[at], o * tanh_c, 1e-6);
        const double d_h = static_cast<double>(d_state[at]) + carried[at];
        const double d_c = d_next_cell[at] + d_h * o * (1 - tanh_c * tanh_c);
        EXPECT_NEAR(d_gate(0), d_c * g * i * (1 - i), 1e-6);
        EXPECT_NEAR(d_gate(1), d_c * cell[at] * f * (1 - f), 1e-6);
        EXPECT_NEAR(d_gate(2), d_h * tanh_c * o * (1 - o), 1e-6);
        EXPECT_NEAR(d_gate(3), d_c * i * (1 - g * g), 1e-6);
        EXPECT_NEAR(d_cell[at], d_c * f, 1e-6);
      }
    }
  }
}

TEST_P(KernelsTest, NoPreviousCellIsACellOfZeros) {
  constexpr std::int64_t kHidden = 11;
  const auto gates = Numbers(4 * kHidden, 3, "gates");
  const std::vector<float> zeros(kHidden, 0.0f), ones(kHidden, 1.0f);
  auto a = gates, b = gates;
  std::vector<float> cell_a(kHidden), cell_b(kHidden), state_a(kHidden), state_b(kHidden);
  GetParam()->lstm_forward(1, kHidden, a.data(), nullptr, cell_a.data(), state_a.data());
  GetParam()->lstm_forward(1, kHidden, b.data(), zeros.data(), cell_b.data(), state_b.data());
  EXPECT_EQ(state_a, state_b);
  auto d_a = ones, d_b = ones;
  GetParam()->lstm_backward(1, kHidden, a.data(), nullptr, cell_a.data(), ones.data(), ones.data(), d_a.data());
  GetParam()->lstm_backward(1, kHidden, b.data(), zeros.data(), cell_b.data(), ones.data(), ones.data(), d_b.data());
  EXPECT_EQ(a, b);
  EXPECT_EQ(d_a, d_b);
}

TEST_P(KernelsTest, DelayedStepsOfAdamAreTheSameBitsAsStepsAtOnce) {
  const AdamConstants constants{.weight_decay = 0.01f};
  std::vector<AdamStep> steps;
  for (int k = 1; k <= 9; ++k) {
    steps.push_back({.step_size = static_cast<float>(0.01 / (1 - std::pow(0.9, k))),
                     .inverse_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, k)))});
  }
  for (const std::int64_t count : {1, 7, 32, 100, 300}) {
    const auto gradient = Numbers(count, 1, "gradient");
    struct State {
      std::vector<float> weights, mean, square, largest;
    };
    const auto start = [&] {
      return State{Numbers(count, 1, "weights"), std::vector<float>(count), std::vector<float>(count),
                   std::vector<float>(count)};
    };
    const auto run = [&](State& state, std::span<const AdamStep> some, const float* with) {
      GetParam()->adam(count, constants, some.data(), std::ssize(some), with, state.weights.data(),
                       {state.mean.data(), state.square.data(), state.largest.data()});
    };
    State at_once = start(), delayed = start();
    const std::span<const AdamStep> all(steps);
    for (std::size_t k = 0; k < steps.size(); ++k) run(at_once, all.subspan(k, 1), k == 3 ? gradient.data() : nullptr);
    run(delayed, all.first(3), nullptr);
    run(delayed, all.subspan(3, 1), gradient.data());
    run(delayed, all.subspan(4), nullptr);
    EXPECT_EQ(at_once.weights, delayed.weights);
    EXPECT_EQ(at_once.largest, delayed.largest);
    EXPECT_NE(at_once.weights, start().weights);
  }
}

INSTANTIATE_TEST_SUITE_P(Supported, KernelsTest,
                         ::testing::ValuesIn(SupportedKernels().begin(), SupportedKernels().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace roar::ml
