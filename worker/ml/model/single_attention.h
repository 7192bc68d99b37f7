#pragma once

#include <memory>

#include "worker/ml/model/classifier.h"

namespace roar::ml {

// BiLSTM with attention for one sequence (method-recursive-roar.md section 4), weights from LibTorch's global
// generator.
//   score_t = w2' tanh(W1 h_t + b1)   alpha = softmax over the maskable tokens   context = sum alpha_t h_t
//   logits  = W context + b
// Without a maskable token alpha is zero everywhere, and so is the context. The attention's weights do not decay.
std::shared_ptr<Classifier> MakeSingleAttention(const ClassifierSizes& sizes);

}  // namespace roar::ml
