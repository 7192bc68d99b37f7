#include <algorithm>

#include "worker/ml/fused/fused_models.h"
#include "worker/ml/fused/parameter_lookup.h"

namespace roar::ml {
namespace {

class FusedPairAttention : public FusedClassifier {
 public:
  FusedPairAttention(const FusedSizes& sizes, const FindParameter& find)
      : hidden_size_(sizes.encoder.hidden_size),
        class_count_(sizes.class_count),
        first_encoder_(EncoderOf(find, "first_encoder", sizes.encoder)),
        second_encoder_(EncoderOf(find, "second_encoder", sizes.encoder)),
        attention_(AttentionOf(find, "attention", hidden_size_)),
        attention_query_(LinearOf(find, "attention.second", 2 * hidden_size_, hidden_size_)),
        context_layer_(LinearOf(find, "context_layer", 2 * hidden_size_, hidden_size_)),
        query_layer_(LinearOf(find, "query_layer", 2 * hidden_size_, hidden_size_)),
        output_(LinearOf(find, "output_layer", hidden_size_, class_count_)) {}

  std::vector<EmbeddingUse> EmbeddingsOf(const FusedBatch& batch) const override {
    return {{"first_encoder.embedding.weight", &batch.first}, {"second_encoder.embedding.weight", &batch.second}};
  }

  const float* Forward(const FusedBatch& batch) override {
    batch_ = &batch;
    const std::int64_t count = batch.first.count(), questions = batch.second.count();
    float* const query = query_.Take(questions * 2 * hidden_size_);
    second_encoder_.Forward(batch.second);
    second_encoder_.LastStates(query);

    attention_query_.Forward(questions, query, from_query_.Take(questions * hidden_size_));
    const float* const for_attention = Spread(for_attention_);
    float* const context = context_.Take(count * 2 * hidden_size_);
    attention_.Forward(batch.first, first_encoder_.Forward(batch.first), for_attention, context);

    query_layer_.Forward(questions, query, from_query_.data());
    const float* const for_joint = Spread(for_joint_);
    float* const joint = joint_.Take(count * hidden_size_);
    context_layer_.Forward(count, context, joint);
    kernels_.scale_add(count * hidden_size_, 1, for_joint, joint, joint);
    kernels_.tanh(count * hidden_size_, joint);
    float* const logits = logits_.Take(count * class_count_);
    output_.Forward(count, joint, logits);
    return logits;
  }

  const float* attention() const override { return attention_.weights(); }

  void Backward(const float* d_logits) override {
    d_logits_ = d_logits;
    const std::int64_t count = batch_->first.count();
    float* const d_joint = d_joint_.Take(count * hidden_size_);
    float* const d_context = d_context_.Take(count * 2 * hidden_size_);
    float* const d_states = d_states_.Take(batch_->first.token_count() * 2 * hidden_size_);
    output_.Backward(count, d_logits, d_joint);
    kernels_.tanh_backward(count * hidden_size_, d_joint, joint_.data(), d_joint);
    context_layer_.Backward(count, d_joint, d_context);
    attention_.Backward(d_context, d_states, d_attention_query_.Take(count * hidden_size_));
    first_encoder_.Backward(d_states);
  }

  FusedEncoder& first_encoder() override { return first_encoder_; }

  std::vector<EmbeddingGradient> WeightGradients() override {
    const std::int64_t count = batch_->first.count();
    output_.WeightGradients(count, joint_.data(), d_logits_);
    context_layer_.WeightGradients(count, context_.data(), d_joint_.data());
    query_layer_.WeightGradients(count, query_.data(), d_joint_.data());
    attention_query_.WeightGradients(count, query_.data(), d_attention_query_.data());
    attention_.WeightGradients();
    BackwardOfSecond();
    return {{"first_encoder.embedding.weight", first_encoder_.WeightGradients()},
            {"second_encoder.embedding.weight", second_encoder_.WeightGradients()}};
  }

 private:
  // Rows of from_query_, one per first sequence. [first.count, hidden_size]
  const float* Spread(Buffer& buffer) {
    const std::int64_t count = batch_->first.count();
    float* const rows = buffer.Take(count * hidden_size_);
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(from_query_.data() + batch_->second_of[i] * hidden_size_, hidden_size_, rows + i * hidden_size_);
    }
    return rows;
  }

  void BackwardOfSecond() {
    const PackedSequences& second = batch_->second;
    const std::int64_t state_size = 2 * hidden_size_;
    float* const d_query = d_query_.Take(second.count() * state_size);
    query_layer_.Backward(second.count(), d_joint_.data(), d_query);
    attention_query_.Backward(second.count(), d_attention_query_.data(), d_query, Into::kAdd);

    // The query is the last state of each direction: forward at the last position, backward at the first.
    float* const d_states = d_second_states_.Take(second.token_count() * state_size);
    std::fill_n(d_states, second.token_count() * state_size, 0.0f);
    for (std::int64_t i = 0; i < second.count(); ++i) {
      const std::int64_t start = second.start(i), last = start + second.length(i) - 1;
      std::copy_n(d_query + i * state_size, hidden_size_, d_states + last * state_size);
      std::copy_n(d_query + i * state_size + hidden_size_, hidden_size_, d_states + start * state_size + hidden_size_);
    }
    second_encoder_.Backward(d_states);
  }

  std::int64_t hidden_size_, class_count_;
  FusedEncoder first_encoder_, second_encoder_;
  FusedAttention attention_;
  FusedLinear attention_query_, context_layer_, query_layer_, output_;
  const Kernels& kernels_ = BestKernels();
  const FusedBatch* batch_ = nullptr;
  const float* d_logits_ = nullptr;
  Buffer query_;       // [second.count, 2 * hidden_size]
  Buffer from_query_;  // [second.count, hidden_size]
  Buffer for_attention_, for_joint_, context_, joint_, logits_;
  Buffer d_joint_, d_context_, d_states_, d_attention_query_, d_query_, d_second_states_;
};

}  // namespace

std::unique_ptr<FusedClassifier> MakeFusedPairAttention(const FusedSizes& sizes, const FindParameter& find) {
  return std::make_unique<FusedPairAttention>(sizes, find);
}

}  // namespace roar::ml
