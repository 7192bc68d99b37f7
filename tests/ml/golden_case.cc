#include "tests/ml/golden_case.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/masks/ranking.h"
#include "gtest/gtest.h"

namespace roar::ml {
namespace {

using nlohmann::json;
using torch::Tensor;

Tensor Vector(const json& values) { return torch::tensor(values.get<std::vector<float>>()); }

// Of rows of unequal length, the first index being the example: [time, batch], 0 where a row has ended.
Tensor Padded(const json& rows, std::int64_t time) {
  Tensor padded = torch::zeros({time, std::ssize(rows)});
  for (std::int64_t b = 0; b < std::ssize(rows); ++b) {
    padded.select(1, b).slice(0, 0, std::ssize(rows[b])).copy_(Vector(rows[b]));
  }
  return padded;
}

std::vector<EncodedExample> ExamplesOf(const json& examples) {
  std::vector<EncodedExample> encoded;
  for (const json& example : examples) {
    encoded.push_back({example["tokens"].get<std::vector<std::int32_t>>(),
                       example["second_tokens"].get<std::vector<std::int32_t>>(),
                       example["label"].get<std::int32_t>()});
  }
  return encoded;
}

}  // namespace

GoldenCase LoadGoldenCase(const std::string& name) {
  std::ifstream file(std::string(ROAR_SOURCE_DIR) + "/tests/golden/models/" + name + ".json");
  const json root = json::parse(file);
  const json& sizes = root["sizes"];
  const json& expected = root["expected"];
  GoldenCase golden;
  golden.sizes = {sizes["vocabulary_size"], sizes["class_count"], sizes["embedding_size"], sizes["hidden_size"]};
  golden.examples = ExamplesOf(root["examples"]);
  std::vector<std::int64_t> all(golden.examples.size());
  std::iota(all.begin(), all.end(), 0);
  golden.batch = MakeBatch(golden.examples, all);
  golden.loss = torch::tensor(expected["loss"].get<float>());
  golden.logits = Padded(expected["logits"], golden.sizes.class_count).t();
  for (const auto& [parameter, content] : root["parameters"].items()) {
    const auto shape = content["shape"].get<std::vector<std::int64_t>>();
    golden.parameters[parameter] = Vector(content["values"]).view(shape);
    golden.gradients[parameter] = Vector(expected["gradients"][parameter]).view(shape);
  }
  for (const auto& [measure, rows] : expected["scores"].items()) {
    golden.scores[measure] = Padded(rows, golden.batch.first.tokens.size(0));
  }
  return golden;
}

void CopyParameters(const GoldenCase& golden, torch::nn::Module& module) {
  const torch::NoGradGuard no_gradient;
  auto parameters = module.named_parameters();
  if (parameters.size() != golden.parameters.size()) throw std::runtime_error("the model has other parameters");
  for (auto& item : parameters) {
    const Tensor& values = golden.parameters.at(item.key());
    if (item.value().sizes() != values.sizes())
      throw std::runtime_error("the model has another shape of " + item.key());
    item.value().copy_(values);
  }
}

void ExpectClose(const Tensor& actual, const Tensor& expected, const std::string& what) {
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  const Tensor actual_values = actual.detach().to(torch::kDouble).flatten();
  const Tensor expected_values = expected.to(torch::kDouble).flatten();
  for (std::int64_t i = 0; i < expected_values.numel(); ++i) {
    const auto value = expected_values[i].item<double>();
    EXPECT_NEAR(actual_values[i].item<double>(), value, std::max(1e-4 * std::abs(value), 1e-6)) << what << " " << i;
  }
}

void ExpectScores(const GoldenCase& golden, const Tensor& actual, const std::string& measure) {
  const Tensor maskable = golden.batch.first.tokens >= masks::kMaskTokenId;
  ASSERT_EQ(actual.sizes(), maskable.sizes()) << measure;
  ExpectClose(actual.masked_select(maskable), golden.scores.at(measure).masked_select(maskable), measure);
}

}  // namespace roar::ml
