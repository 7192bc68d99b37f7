#pragma once

#include <memory>

#include "worker/ml/fused/fused_classifier.h"

namespace roar::ml {

struct FusedSizes {
  EncoderShape encoder;
  std::int64_t class_count = 0;
};

// The formulas are those of worker/ml/model/single_attention.h and pair_attention.h, parameters by their names there.
std::unique_ptr<FusedClassifier> MakeFusedSingleAttention(const FusedSizes& sizes, const FindParameter& find);
std::unique_ptr<FusedClassifier> MakeFusedPairAttention(const FusedSizes& sizes, const FindParameter& find);

}  // namespace roar::ml
