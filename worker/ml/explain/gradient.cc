#include <cmath>
#include <memory>

#include "worker/ml/explain/measures.h"

namespace roar::ml {
namespace {

// E'E, in double precision, since the terms of the quadratic form cancel. [embedding_size, embedding_size]
std::vector<double> GramMatrix(const float* matrix, const EncoderShape& shape) {
  const auto rows = static_cast<blasint>(shape.vocabulary_size), columns = static_cast<blasint>(shape.embedding_size);
  const std::vector<double> values(matrix, matrix + shape.vocabulary_size * shape.embedding_size);
  std::vector<double> gram(static_cast<std::size_t>(shape.embedding_size * shape.embedding_size));
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, columns, columns, rows, 1, values.data(), columns, values.data(),
              columns, 0, gram.data(), columns);
  return gram;
}

class Gradient {
 public:
  explicit Gradient(const ExplainedModel& model)
      : model_(model), gram_(GramMatrix(model.embedding_matrix, model.shape)) {}

  void Score(const Chunk& chunk, float* scores) {
    PackBatch(chunk.examples, chunk.indices, model_.shape.vocabulary_size, batch_);
    model_.classifier.Forward(batch_);
    TrueClassGradient(chunk, 1, model_.class_count, d_logits_);
    model_.classifier.Backward(d_logits_.data());

    const std::int64_t tokens = batch_.first.token_count(), size = model_.shape.embedding_size;
    gradients_.resize(static_cast<std::size_t>(tokens * size));
    model_.classifier.first_encoder().InputGradients(gradients_.data());
    // |E g|^2 = g' (E'E) g, so a matrix of [embedding_size, embedding_size] stands for the vocabulary.
    const std::vector<double> precise(gradients_.begin(), gradients_.end());
    times_gram_.resize(precise.size());
    const auto m = static_cast<blasint>(tokens), n = static_cast<blasint>(size);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, n, 1, precise.data(), n, gram_.data(), n, 0,
                times_gram_.data(), n);
    for (std::int64_t t = 0; t < tokens; ++t) {
      const double square = cblas_ddot(n, times_gram_.data() + t * size, 1, precise.data() + t * size, 1);
      // Rounding may leave a square just below zero; a NaN stays one.
      scores[t] = static_cast<float>(std::sqrt(square < 0 ? 0 : square));
    }
  }

 private:
  ExplainedModel model_;
  std::vector<double> gram_;
  FusedBatch batch_;
  std::vector<float> d_logits_, gradients_;
  std::vector<double> times_gram_;
};

}  // namespace

ScoreChunk GradientMeasure(const ExplainedModel& model) {
  return [gradient = std::make_shared<Gradient>(model)](const Chunk& chunk, float* scores) {
    gradient->Score(chunk, scores);
  };
}

}  // namespace roar::ml
