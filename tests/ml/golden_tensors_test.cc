// The models and measures against values of an independent implementation, tests/golden/models/make_golden.py.

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tests/ml/golden_case.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/model/pair_attention.h"

namespace roar::ml {
namespace {

struct Row {
  const char* name;
  std::shared_ptr<Classifier> (*make)(const ClassifierSizes&);
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class GoldenTensors : public testing::TestWithParam<Row> {
 protected:
  GoldenTensors() : golden_(LoadGoldenCase(GetParam().name)), model_(GetParam().make(golden_.sizes)) {
    CopyParameters(golden_, *model_);
  }

  ClassifierOutput Classify() { return model_->Classify(golden_.batch, model_->Embed(golden_.batch)); }

  const GoldenCase golden_;
  const std::shared_ptr<Classifier> model_;
};

TEST_P(GoldenTensors, Outputs) {
  const ClassifierOutput output = Classify();
  ExpectClose(output.logits, golden_.logits, "logits");
  ExpectClose(output.attention, golden_.scores.at("attention"), "attention");
}

TEST_P(GoldenTensors, LossAndItsGradients) {
  const torch::Tensor loss = torch::nn::functional::cross_entropy(Classify().logits, golden_.batch.labels);
  ExpectClose(loss, golden_.loss, "loss");
  loss.backward();
  for (const auto& item : model_->named_parameters()) {
    ExpectClose(item.value().grad(), golden_.gradients.at(item.key()), item.key());
  }
}

TEST_P(GoldenTensors, Scores) {
  for (torch::Tensor& parameter : model_->parameters()) parameter.requires_grad_(false);
  const std::pair<const char*, ScoreFunction> measures[] = {
      {"attention", AttentionMeasure(*model_)},
      {"gradient", GradientMeasure(*model_)},
  };
  for (const auto& [measure, score] : measures) ExpectScores(golden_, score(golden_.batch), measure);
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenTensors, testing::Values(Row{"pair", MakePairAttention}),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace roar::ml
