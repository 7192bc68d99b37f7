#pragma once

#include <torch/torch.h>

#include <functional>

#include "worker/ml/model/classifier.h"

// The importance measures by LibTorch's automatic differentiation of the plain graph: slow twins of measures.h.

namespace roar::ml {

// Scores of one batch under a model: float [time, batch], of the true class, unspecified at special tokens and padding.
using PlainMeasure = std::function<torch::Tensor(const Batch&)>;

// Each prepares what is needed once per model, which must outlive the result and whose weights take no gradient.
PlainMeasure PlainAttention(Classifier& model);
PlainMeasure PlainGradient(Classifier& model);
PlainMeasure PlainInputTimesGradient(Classifier& model);
PlainMeasure PlainIntegratedGradient(Classifier& model, IntegratedGradientVariant variant);

}  // namespace roar::ml
