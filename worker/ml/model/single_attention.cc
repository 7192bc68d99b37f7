#include "worker/ml/model/single_attention.h"

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
        score(register_module("score", Linear(LinearOptions(hidden_size, 1).bias(false)))) {}

  // states: [time, batch, 2 * hidden_size]; maskable: bool [time, batch].
  Tensor forward(const Tensor& states, const Tensor& maskable) {
    return MaskedSoftmax(score(torch::tanh(first(states))).squeeze(-1), maskable);
  }

  Linear first, score;
};
TORCH_MODULE(Attention);

class SingleAttention : public Classifier {
 public:
  explicit SingleAttention(const ClassifierSizes& sizes)
      : sizes_(sizes),
        encoder_(register_module("encoder", Encoder(sizes))),
        attention_(register_module("attention", Attention(sizes.hidden_size))),
        output_layer_(register_module("output_layer", Linear(2 * sizes.hidden_size, sizes.class_count))) {}

  Tensor Embed(const Batch& batch) override { return encoder_->embedding(batch.first.tokens); }

  ClassifierOutput Classify(const Batch& batch, const Tensor& embeddings) override {
    const Tensor states = encoder_->bilstm(embeddings, batch.first.reversal);
    const Tensor weights = attention_(states, IsMaskable(batch.first));
    return {output_layer_((weights.unsqueeze(-1) * states).sum(0)), weights};
  }

  Tensor EmbeddingMatrix() override { return encoder_->embedding->weight; }
  bool Decays(const std::string& parameter) const override { return !parameter.starts_with("attention."); }
  std::unique_ptr<FusedClassifier> Fuse(const FindParameter& find) const override {
    return MakeFusedSingleAttention(FusedSizesOf(sizes_), find);
  }

 private:
  ClassifierSizes sizes_;
  Encoder encoder_;
  Attention attention_;
  Linear output_layer_;
};

}  // namespace

std::shared_ptr<Classifier> MakeSingleAttention(const ClassifierSizes& sizes) {
  return std::make_shared<SingleAttention>(sizes);
}

}  // namespace roar::ml
