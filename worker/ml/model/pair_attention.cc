#include "worker/ml/model/pair_attention.h"

#include "worker/ml/fused/fused_models.h"
#include "worker/ml/model/layers.h"

namespace roar::ml {
namespace {

using torch::Tensor;
using torch::nn::Linear;
using torch::nn::LinearOptions;

struct AttentionImpl : torch::nn::Module {
  explicit AttentionImpl(std::int64_t hidden_size)
      : first(register_module("first", Linear(2 * hidden_size, hidden_size))),
        second(register_module("second", Linear(2 * hidden_size, hidden_size))),
        score(register_module("score", Linear(LinearOptions(hidden_size, 1).bias(false)))) {}

  // states: [time, batch, 2 * hidden_size]; query: [batch, 2 * hidden_size]; maskable: bool [time, batch].
  Tensor forward(const Tensor& states, const Tensor& query, const Tensor& maskable) {
    return MaskedSoftmax(score(torch::tanh(first(states) + second(query))).squeeze(-1), maskable);
  }

  Linear first, second, score;
};
TORCH_MODULE(Attention);

class PairAttention : public Classifier {
 public:
  explicit PairAttention(const ClassifierSizes& sizes)
      : sizes_(sizes),
        first_encoder_(register_module("first_encoder", Encoder(sizes))),
        second_encoder_(register_module("second_encoder", Encoder(sizes))),
        attention_(register_module("attention", Attention(sizes.hidden_size))),
        context_layer_(register_module("context_layer", Linear(2 * sizes.hidden_size, sizes.hidden_size))),
        query_layer_(register_module("query_layer", Linear(2 * sizes.hidden_size, sizes.hidden_size))),
        output_layer_(register_module("output_layer", Linear(sizes.hidden_size, sizes.class_count))) {
    const torch::NoGradGuard no_gradient;
    second_encoder_->embedding->weight.copy_(first_encoder_->embedding->weight);
  }

  Tensor Embed(const Batch& batch) override { return first_encoder_->embedding(batch.first.tokens); }

  ClassifierOutput Classify(const Batch& batch, const Tensor& embeddings) override {
    const Tensor states = first_encoder_->bilstm(embeddings, batch.first.reversal);
    const Tensor query =
        LastStates(second_encoder_->bilstm(second_encoder_->embedding(batch.second.tokens), batch.second.reversal),
                   batch.second.lengths);
    const Tensor weights = attention_(states, query, IsMaskable(batch.first));
    const Tensor context = (weights.unsqueeze(-1) * states).sum(0);
    return {output_layer_(torch::tanh(context_layer_(context) + query_layer_(query))), weights};
  }

  Tensor EmbeddingMatrix() override { return first_encoder_->embedding->weight; }
  bool Decays(const std::string&) const override { return true; }
  std::unique_ptr<FusedClassifier> Fuse(const FindParameter& find) const override {
    return MakeFusedPairAttention(FusedSizesOf(sizes_), find);
  }

 private:
  ClassifierSizes sizes_;
  Encoder first_encoder_, second_encoder_;
  Attention attention_;
  Linear context_layer_, query_layer_, output_layer_;
};

}  // namespace

std::shared_ptr<Classifier> MakePairAttention(const ClassifierSizes& sizes) {
  return std::make_shared<PairAttention>(sizes);
}

}  // namespace roar::ml
