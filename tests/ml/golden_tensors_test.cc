// The models and measures, as plain graphs and fused, against values of an independent implementation,
// tests/golden/models/make_golden.py.

#include <algorithm>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/ml/golden_case.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/explain/plain_measures.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/model/single_attention.h"
#include "worker/ml/training/flat_parameters.h"

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
  const std::pair<const char*, PlainMeasure> measures[] = {
      {"attention", PlainAttention(*model_)},
      {"gradient", PlainGradient(*model_)},
      {"input_times_gradient", PlainInputTimesGradient(*model_)},
      {"integrated_gradient_published", PlainIntegratedGradient(*model_, IntegratedGradientVariant::kPublished)},
      {"integrated_gradient_textbook", PlainIntegratedGradient(*model_, IntegratedGradientVariant::kTextbook)},
  };
  for (const auto& [name, measure] : measures) ExpectScores(golden_, measure(golden_.batch), name);
}

// What the fused model gives text after text, as [time, batch].
torch::Tensor ByTimeAndText(const std::vector<EncodedExample>& examples, const float* values) {
  std::size_t time = 0;
  for (const EncodedExample& example : examples) time = std::max(time, example.tokens.size());
  torch::Tensor padded = torch::zeros({static_cast<std::int64_t>(time), std::ssize(examples)});
  for (std::int64_t b = 0; b < std::ssize(examples); ++b) {
    for (std::int64_t t = 0; t < std::ssize(examples[b].tokens); ++t) padded[t][b] = *values++;
  }
  return padded;
}

class FusedGoldenTensors : public GoldenTensors {
 protected:
  FusedGoldenTensors() {
    all_.resize(golden_.examples.size());
    std::iota(all_.begin(), all_.end(), 0);
    PackBatch(golden_.examples, all_, golden_.sizes.vocabulary_size, packed_);
  }

  std::vector<std::int64_t> all_;
  const FlatParameters parameters_{*model_};
  const std::unique_ptr<FusedClassifier> fused_ = model_->Fuse(parameters_.Find());
  FusedBatch packed_;
};

TEST_P(FusedGoldenTensors, OutputsAndGradients) {
  const torch::Tensor logits = torch::from_blob(const_cast<float*>(fused_->Forward(packed_)), golden_.logits.sizes());
  ExpectClose(logits, golden_.logits, "logits");
  ExpectClose(ByTimeAndText(golden_.examples, fused_->attention()), golden_.scores.at("attention"), "attention");

  const torch::Tensor leaf = logits.clone().requires_grad_(true);
  torch::nn::functional::cross_entropy(leaf, golden_.batch.labels).backward();
  fused_->Backward(leaf.grad().data_ptr<float>());
  auto parameters = model_->named_parameters();
  for (const EmbeddingGradient& embedding : fused_->WeightGradients()) {
    for (std::size_t i = 0; i < embedding.rows.rows.size(); ++i) {
      const torch::Tensor row = parameters[embedding.parameter].grad()[embedding.rows.rows[i]];
      std::copy_n(embedding.rows.gradients + static_cast<std::int64_t>(i) * row.numel(), row.numel(),
                  row.data_ptr<float>());
    }
  }
  for (const auto& item : parameters) {
    ExpectClose(item.value().grad(), golden_.gradients.at(item.key()), item.key());
  }
}

TEST_P(FusedGoldenTensors, Scores) {
  constexpr auto kPublished = IntegratedGradientVariant::kPublished, kTextbook = IntegratedGradientVariant::kTextbook;
  struct MeasureRow {
    const char* name;
    ScoreChunk (*make)(const ExplainedModel&);
    IntegratedGradientVariant variant = kPublished;
  };
  std::size_t tokens = 0;
  for (const EncodedExample& example : golden_.examples) tokens += example.tokens.size();
  for (const MeasureRow& row : {MeasureRow{"attention", AttentionMeasure}, MeasureRow{"gradient", GradientMeasure},
                                MeasureRow{"input_times_gradient", InputTimesGradientMeasure},
                                MeasureRow{"integrated_gradient_published", IntegratedGradientMeasure},
                                MeasureRow{"integrated_gradient_textbook", IntegratedGradientMeasure, kTextbook}}) {
    const ExplainedModel model = {*fused_,
                                  model_->EmbeddingMatrix().data_ptr<float>(),
                                  fused_->first_encoder().shape(),
                                  golden_.sizes.class_count,
                                  {.integrated_gradient_variant = row.variant}};
    std::vector<float> scores(tokens);
    row.make(model)({golden_.examples, all_}, scores.data());
    ExpectScores(golden_, ByTimeAndText(golden_.examples, scores.data()), row.name);
  }
}

const auto kModels = testing::Values(Row{"single", MakeSingleAttention}, Row{"pair", MakePairAttention});
std::string NameOf(const testing::TestParamInfo<Row>& row) { return row.param.name; }

INSTANTIATE_TEST_SUITE_P(Models, FusedGoldenTensors, kModels, NameOf);
INSTANTIATE_TEST_SUITE_P(Models, GoldenTensors, kModels, NameOf);

}  // namespace
}  // namespace roar::ml
