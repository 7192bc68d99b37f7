#include "worker/ml/explain/plain_measures.h"

#include "worker/ml/explain/measures.h"

namespace roar::ml {
namespace {

using torch::Tensor;

// d y_c / d e of the true class at these embeddings, [time, batch, embedding_size].
Tensor GradientAt(Classifier& model, const Batch& batch, const Tensor& embeddings) {
  const Tensor leaf = embeddings.detach().requires_grad_(true);
  const Tensor true_logits = model.Classify(batch, leaf).logits.gather(1, batch.labels.unsqueeze(1));
  // The logits of a batch are independent, so the gradient of their sum holds the gradient of each.
  return torch::autograd::grad({true_logits.sum()}, {leaf})[0];
}

}  // namespace

PlainMeasure PlainAttention(Classifier& model) {
  return [&model](const Batch& batch) {
    const torch::NoGradGuard no_gradient;
    return model.Classify(batch, model.Embed(batch)).attention;
  };
}

PlainMeasure PlainGradient(Classifier& model) {
  return [&model](const Batch& batch) {
    const Tensor gradient = GradientAt(model, batch, model.Embed(batch)).to(torch::kDouble);
    // [time, batch, vocabulary_size]
    return gradient.matmul(model.EmbeddingMatrix().detach().to(torch::kDouble).t()).norm(2, -1).to(torch::kFloat);
  };
}

PlainMeasure PlainInputTimesGradient(Classifier& model) {
  return [&model](const Batch& batch) {
    const Tensor embeddings = model.Embed(batch).detach();
    return (GradientAt(model, batch, embeddings) * embeddings).sum(-1).abs();
  };
}

PlainMeasure PlainIntegratedGradient(Classifier& model, IntegratedGradientVariant variant) {
  return [&model, variant](const Batch& batch) {
    const Tensor embeddings = model.Embed(batch).detach();
    Tensor sum = torch::zeros_like(embeddings);
    for (int step = 1; step <= kIntegratedGradientSteps; ++step) {
      const double share = static_cast<double>(step) / kIntegratedGradientSteps;
      const double weight = variant == IntegratedGradientVariant::kPublished ? share : 1.0;
      sum += GradientAt(model, batch, embeddings * share) * weight;
    }
    return (sum / kIntegratedGradientSteps * embeddings).sum(-1).abs();
  };
}

}  // namespace roar::ml
