#include "worker/ml/training/adam.h"

#include <cmath>

#include "gtest/gtest.h"

namespace roar::ml {
namespace {

struct TwoParameters : torch::nn::Module {
  TwoParameters() {
    torch::manual_seed(3);
    matrix = register_parameter("matrix", torch::randn({4, 3}));
    vector = register_parameter("vector", torch::randn({5}));
  }
  // A loss whose gradient rises and falls, so that AMSGrad's maximum matters.
  torch::Tensor Loss(int step) const {
    return (matrix.pow(2).sum() * (1 + std::sin(step)) + vector.sin().sum() * std::cos(step)) * 3;
  }
  torch::Tensor matrix, vector;
};

TEST(Adam, EqualsLibTorchsAmsgrad) {
  TwoParameters ours, theirs;
  Adam adam(ours, {.learning_rate = 0.05, .weight_decay = 0.01});
  torch::optim::Adam reference(theirs.parameters(), torch::optim::AdamOptions(0.05).weight_decay(0.01).amsgrad(true));
  for (int step = 0; step < 40; ++step) {
    adam.ClearGradients();
    ours.Loss(step).backward();
    adam.Step();
    reference.zero_grad();
    theirs.Loss(step).backward();
    reference.step();
    ASSERT_TRUE(torch::allclose(ours.matrix, theirs.matrix, 1e-5, 1e-6)) << step;
    ASSERT_TRUE(torch::allclose(ours.vector, theirs.vector, 1e-5, 1e-6)) << step;
  }
}

TEST(Adam, WeightsAreTheParametersThemselves) {
  TwoParameters module;
  Adam adam(module, {});
  adam.weights().fill_(2);
  EXPECT_EQ(module.matrix.sum().item<double>(), 24);
  EXPECT_EQ(module.vector.sum().item<double>(), 10);
}

}  // namespace
}  // namespace roar::ml
