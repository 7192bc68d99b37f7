#include "worker/ml/fused/fused_models.h"
#include "worker/ml/fused/parameter_lookup.h"

namespace roar::ml {
namespace {

class FusedSingleAttention : public FusedClassifier {
 public:
  FusedSingleAttention(const FusedSizes& sizes, const FindParameter& find)
      : state_size_(2 * sizes.encoder.hidden_size),
        class_count_(sizes.class_count),
        encoder_(EncoderOf(find, "encoder", sizes.encoder)),
        attention_(AttentionOf(find, "attention", sizes.encoder.hidden_size)),
        output_(LinearOf(find, "output_layer", state_size_, class_count_)) {}

  std::vector<EmbeddingUse> EmbeddingsOf(const FusedBatch& batch) const override {
    return {{"encoder.embedding.weight", &batch.first}};
  }

  const float* Forward(const FusedBatch& batch) override {
    first_ = &batch.first;
    float* const context = context_.Take(first_->count() * state_size_);
    float* const logits = logits_.Take(first_->count() * class_count_);
    attention_.Forward(*first_, encoder_.Forward(*first_), nullptr, context);
    output_.Forward(first_->count(), context, logits);
    return logits;
  }

  const float* attention() const override { return attention_.weights(); }

  void Backward(const float* d_logits) override {
    d_logits_ = d_logits;
    float* const d_context = d_context_.Take(first_->count() * state_size_);
    float* const d_states = d_states_.Take(first_->token_count() * state_size_);
    output_.Backward(first_->count(), d_logits, d_context);
    attention_.Backward(d_context, d_states, nullptr);
    encoder_.Backward(d_states);
  }

  FusedEncoder& first_encoder() override { return encoder_; }

  std::vector<EmbeddingGradient> WeightGradients() override {
    output_.WeightGradients(first_->count(), context_.data(), d_logits_);
    attention_.WeightGradients();
    return {{"encoder.embedding.weight", encoder_.WeightGradients()}};
  }

 private:
  std::int64_t state_size_, class_count_;
  FusedEncoder encoder_;
  FusedAttention attention_;
  FusedLinear output_;
  const PackedSequences* first_ = nullptr;
  const float* d_logits_ = nullptr;
  Buffer context_, logits_, d_context_, d_states_;
};

}  // namespace

std::unique_ptr<FusedClassifier> MakeFusedSingleAttention(const FusedSizes& sizes, const FindParameter& find) {
  return std::make_unique<FusedSingleAttention>(sizes, find);
}

}  // namespace roar::ml
