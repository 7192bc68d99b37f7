#pragma once

#include <torch/torch.h>

#include <map>
#include <string>
#include <vector>

#include "worker/ml/model/batch.h"
#include "worker/ml/model/classifier.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

// A file of tests/golden/models: a small model, examples, and what an independent implementation in float64 computes
// from them. All tensors are float32; parameters and their gradients go by the names of the C++ modules.
struct GoldenCase {
  ClassifierSizes sizes;
  std::vector<EncodedExample> examples;
  Batch batch;  // of all examples
  std::map<std::string, torch::Tensor> parameters;

  torch::Tensor logits;  // [batch, class_count]
  torch::Tensor loss;    // [], the mean cross entropy
  std::map<std::string, torch::Tensor> gradients;
  // By measure, [time, batch], 0 at padding: attention, gradient, input_times_gradient, integrated_gradient_published,
  // integrated_gradient_textbook.
  std::map<std::string, torch::Tensor> scores;
};

// Throws when the file cannot be read, so that the test fails.
GoldenCase LoadGoldenCase(const std::string& name);

// Overwrites the module's parameters. Throws when its names or shapes are not the case's.
void CopyParameters(const GoldenCase& golden, torch::nn::Module& module);

// Expects equal shapes, and each value within 1e-4 of its own size (or 1e-6, where it is next to nothing).
void ExpectClose(const torch::Tensor& actual, const torch::Tensor& expected, const std::string& what);

// The same for scores [time, batch], at the maskable tokens of the case; a measure promises nothing elsewhere.
void ExpectScores(const GoldenCase& golden, const torch::Tensor& actual, const std::string& measure);

}  // namespace roar::ml
