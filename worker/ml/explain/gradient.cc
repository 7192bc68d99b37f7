#include "worker/ml/explain/measures.h"

namespace roar::ml {

// |E g|^2 = g' (E'E) g, so a matrix of [embedding_size, embedding_size] stands for the vocabulary. In double precision,
// since the terms of the quadratic form cancel.
ScoreFunction GradientMeasure(Classifier& model) {
  const torch::Tensor embedding = model.EmbeddingMatrix().detach().to(torch::kDouble);
  const torch::Tensor gram = embedding.t().mm(embedding);
  return [&model, gram](const Batch& batch) {
    const torch::Tensor embeddings = model.Embed(batch).detach().requires_grad_(true);
    const torch::Tensor logits = model.Classify(batch, embeddings).logits;
    const torch::Tensor true_logits = logits.gather(1, batch.labels.unsqueeze(1));
    // The logits of a batch are independent, so the gradient of their sum holds the gradient of each.
    const torch::Tensor gradient = torch::autograd::grad({true_logits.sum()}, {embeddings})[0].to(torch::kDouble);
    return (gradient.matmul(gram) * gradient).sum(-1).clamp_min(0).sqrt().to(torch::kFloat);
  };
}

}  // namespace roar::ml
