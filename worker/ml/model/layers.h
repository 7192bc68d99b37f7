#pragma once

#include <torch/torch.h>

#include "core/masks/ranking.h"
#include "worker/ml/model/bilstm.h"
#include "worker/ml/model/classifier.h"

// What the BiLSTM classifiers are made of, as plain LibTorch graphs.

namespace roar::ml {

struct EncoderImpl : torch::nn::Module {
  explicit EncoderImpl(const ClassifierSizes& sizes)
      : embedding(register_module(
            "embedding", torch::nn::Embedding(
                             torch::nn::EmbeddingOptions(sizes.vocabulary_size, sizes.embedding_size).padding_idx(0)))),
        bilstm(register_module("bilstm", Bilstm(sizes.embedding_size, sizes.hidden_size))) {
    const torch::NoGradGuard no_gradient;
    if (sizes.embeddings == Embeddings::kZeros) embedding->weight.zero_();
  }

  torch::nn::Embedding embedding;
  Bilstm bilstm;
};
TORCH_MODULE(Encoder);

// The softmax of `scores` over the maskable tokens of each text; zero elsewhere, also where there is none.
// scores: [time, batch]; maskable: bool [time, batch].
inline torch::Tensor MaskedSoftmax(const torch::Tensor& scores, const torch::Tensor& maskable) {
  // Finite, so that a text without a maskable token gives no 0/0; its exponential is zero beside any real score.
  constexpr double kExcludedScore = -1e30;
  return scores.masked_fill(maskable.logical_not(), kExcludedScore).softmax(0) * maskable;
}

inline torch::Tensor IsMaskable(const PaddedSequences& sequences) { return sequences.tokens >= masks::kMaskTokenId; }

}  // namespace roar::ml
