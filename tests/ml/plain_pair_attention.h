#pragma once

#include <map>
#include <string>
#include <vector>

#include "worker/ml/run_job.h"

namespace roar::ml {

// The slow obvious twin of PairAttention: one example, plain loops, double precision, the formulas of
// method-recursive-roar.md section 4 in their order. Parameters by name, row by row.
struct PlainPairAttention {
  std::map<std::string, std::vector<double>> parameters;
  int embedding_size = 0;
  int hidden_size = 0;
  int class_count = 0;

  struct Output {
    std::vector<double> logits;
    std::vector<double> attention;
  };
  Output Run(const EncodedExample& example) const;
};

}  // namespace roar::ml
