#include "worker/ml/training/adam.h"

#include <cmath>

#include "gtest/gtest.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/model/single_attention.h"

namespace roar::ml {
namespace {

constexpr ClassifierSizes kSizes = {.vocabulary_size = 9, .class_count = 3, .embedding_size = 4, .hidden_size = 3};

// A loss whose gradient rises and falls, so that AMSGrad's maximum matters.
torch::Tensor Loss(Classifier& model, int step) {
  torch::Tensor loss = torch::zeros({});
  for (const torch::Tensor& parameter : model.parameters()) {
    loss = loss + parameter.pow(2).sum() * (1 + std::sin(step)) + parameter.sin().sum() * std::cos(step);
  }
  return loss * 3;
}

TEST(Adam, EqualsLibTorchsAmsgrad) {
  torch::manual_seed(3);
  const auto ours = MakePairAttention(kSizes);
  torch::manual_seed(3);
  const auto theirs = MakePairAttention(kSizes);
  const FlatParameters parameters(*ours);
  Adam adam(parameters, {.learning_rate = 0.05, .weight_decay = 0.01});
  torch::optim::Adam reference(theirs->parameters(), torch::optim::AdamOptions(0.05).weight_decay(0.01).amsgrad(true));
  for (int step = 0; step < 40; ++step) {
    adam.ClearGradients();
    Loss(*ours, step).backward();
    adam.Step();
    reference.zero_grad();
    Loss(*theirs, step).backward();
    reference.step();
    for (const auto& item : theirs->named_parameters()) {
      ASSERT_TRUE(torch::allclose(ours->named_parameters()[item.key()], item.value(), 1e-5, 1e-6))
          << item.key() << " " << step;
    }
  }
}

TEST(Adam, DecaysWhatTheModelSaysItDecays) {
  torch::manual_seed(3);
  const auto model = MakeSingleAttention(kSizes);
  const FlatParameters parameters(*model);
  const torch::Tensor attention = model->named_parameters()["attention.first.weight"].detach().clone();
  const torch::Tensor output = model->named_parameters()["output_layer.weight"].detach().clone();
  Adam adam(parameters, {.learning_rate = 0.05, .weight_decay = 0.01});
  adam.Step();
  EXPECT_TRUE(torch::equal(model->named_parameters()["attention.first.weight"], attention));
  EXPECT_LT(model->named_parameters()["output_layer.weight"].abs().sum().item<double>(),
            output.abs().sum().item<double>());
}

TEST(FlatParameters, AreTheParametersThemselves) {
  const auto model = MakeSingleAttention(kSizes);
  const FlatParameters parameters(*model);
  parameters.weights().fill_(2);
  for (const torch::Tensor& parameter : model->parameters()) {
    EXPECT_EQ(parameter.sum().item<double>(), 2.0 * static_cast<double>(parameter.numel()));
  }
}

}  // namespace
}  // namespace roar::ml
