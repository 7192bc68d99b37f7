#pragma once

#include <cblas.h>

#include <cstdint>
#include <vector>

// Matrix products, by the BLAS library, of row-major float32 matrices whose rows follow each other without gaps.

namespace roar::ml {

// Memory that is kept from one use to the next; what it holds is unspecified until written.
class Buffer {
 public:
  float* Take(std::int64_t count) {
    if (static_cast<std::size_t>(count) > values_.size()) values_.resize(static_cast<std::size_t>(count));
    return values_.data();
  }
  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }

 private:
  std::vector<float> values_;
};

struct Shape {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t inner;
};

enum class Into { kReplace, kAdd };

inline void Product(Shape shape, CBLAS_TRANSPOSE a_form, const float* a, CBLAS_TRANSPOSE b_form, const float* b,
                    float* out, Into into) {
  if (shape.rows == 0 || shape.columns == 0) return;
  const auto m = static_cast<blasint>(shape.rows), n = static_cast<blasint>(shape.columns);
  const auto k = static_cast<blasint>(shape.inner);
  cblas_sgemm(CblasRowMajor, a_form, b_form, m, n, k, 1.0f, a, a_form == CblasTrans ? m : k, b,
              b_form == CblasTrans ? k : n, into == Into::kAdd ? 1.0f : 0.0f, out, n);
}

// out = a b, with a: [rows, inner] and b: [inner, columns].
inline void Multiply(Shape shape, const float* a, const float* b, float* out, Into into = Into::kReplace) {
  Product(shape, CblasNoTrans, a, CblasNoTrans, b, out, into);
}
// out = a b', with b: [columns, inner].
inline void MultiplyTransposed(Shape shape, const float* a, const float* b, float* out, Into into = Into::kReplace) {
  Product(shape, CblasNoTrans, a, CblasTrans, b, out, into);
}
// out = a' b, with a: [inner, rows] and b: [inner, columns].
inline void TransposedMultiply(Shape shape, const float* a, const float* b, float* out, Into into = Into::kReplace) {
  Product(shape, CblasTrans, a, CblasNoTrans, b, out, into);
}

}  // namespace roar::ml
