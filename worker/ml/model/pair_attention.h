#pragma once

#include <memory>

#include "worker/ml/model/classifier.h"

namespace roar::ml {

// BiLSTM with attention for two sequences (method-recursive-roar.md section 4), weights from LibTorch's global
// generator. q: the last states of the second sequence's encoder; h_t: the states of the first's.
//   score_t = w2' tanh(W1p h_t + b + W1q q + b')   alpha = softmax over the maskable tokens   context = sum alpha_t h_t
//   logits  = W_f tanh(W_p context + b_p + W_q q + b_q) + b_f
// Both encoders start from one embedding matrix, the padding row zero. Every weight decays.
// Without a maskable token alpha is zero everywhere, and so is the context.
std::shared_ptr<Classifier> MakePairAttention(const ClassifierSizes& sizes);

}  // namespace roar::ml
