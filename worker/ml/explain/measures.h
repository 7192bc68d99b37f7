#pragma once

#include <torch/torch.h>

#include <functional>

#include "worker/ml/model/classifier.h"

namespace roar::ml {

// Scores of one batch under a model: float [time, batch], of the true class, unspecified at special tokens and padding.
using ScoreFunction = std::function<torch::Tensor(const Batch&)>;

// Each prepares what is needed once per model, which must outlive the result and whose weights take no gradient.
// Formulas: method-recursive-roar.md section 3.

// alpha_t, the attention weight.
ScoreFunction AttentionMeasure(Classifier& model);

// The norm of E g_t, the gradient of the true class's logit with respect to the one-hot token.
ScoreFunction GradientMeasure(Classifier& model);

}  // namespace roar::ml
