// The fused model against its slow twin, the plain LibTorch graph in double precision: values and gradients over random
// shapes, lengths and masks; training step by step; every importance measure.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "tests/ml/tiny_data.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/explain/plain_measures.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/model/single_attention.h"
#include "worker/ml/training/adam.h"
#include "worker/ml/training/fused_trainer.h"
#include "worker/ml/training/trainer.h"

namespace roar::ml {
namespace {

using torch::Tensor;

using MakeModel = std::shared_ptr<Classifier> (*)(const ClassifierSizes&);

constexpr double kTolerance = 1e-5;

// A model and a batch of texts for it, the same at every call for one seed.
struct Case {
  Case(MakeModel make_model, std::int64_t case_seed) : make(make_model), seed(case_seed) {
    RandomStream random(seed, "shapes");
    const auto from_1_to = [&](std::uint64_t most) { return static_cast<std::int64_t>(1 + random.Below(most)); };
    sizes = {5 + from_1_to(30), 1 + from_1_to(4), from_1_to(37), from_1_to(37)};
    if (random.Below(4) == 0) sizes.embeddings = Embeddings::kZeros;
    const std::int64_t count = from_1_to(12);
    examples = RandomExamples(seed, count, sizes.vocabulary_size, sizes.class_count);
    for (EncodedExample& example : examples) {
      const auto kind = random.Below(6);
      if (kind == 0) std::fill(example.tokens.begin() + 1, example.tokens.end() - 1, kMask);
      if (kind == 1) example.tokens = {static_cast<std::int32_t>(random.Below(sizes.vocabulary_size))};
      if (kind == 2) example.second_tokens.resize(1);
      if (make == MakeSingleAttention) example.second_tokens.clear();
    }
    for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
  }

  std::shared_ptr<Classifier> Model() const {
    torch::manual_seed(static_cast<std::uint64_t>(seed));
    auto model = make(sizes);
    // Weights of the size that training leaves, so that nothing is close to linear.
    const torch::NoGradGuard no_gradient;
    for (Tensor& parameter : model->parameters()) parameter.mul_(2);
    return model;
  }

  EncodedDataset Dataset() const {
    return {.splits = {}, .vocabulary_size = sizes.vocabulary_size, .class_count = sizes.class_count};
  }

  MakeModel make;
  std::int64_t seed;
  ClassifierSizes sizes;
  std::vector<EncodedExample> examples;
  std::vector<std::int64_t> all;
};

// The largest difference, relative to the largest value.
double RelativeError(const float* actual, const Tensor& expected) {
  const Tensor values = expected.detach().to(torch::kDouble).contiguous();
  const double* wanted = values.data_ptr<double>();
  double error = 0, largest = 1e-12;
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    const double difference = std::abs(actual[i] - wanted[i]);
    if (!(difference <= error)) error = difference;  // a NaN stays
    largest = std::max(largest, std::abs(wanted[i]));
  }
  return error / largest;
}

// The embedding's gradient in full.
Tensor Dense(const SparseRows& rows, const ClassifierSizes& sizes) {
  Tensor dense = torch::zeros({sizes.vocabulary_size, sizes.embedding_size});
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    std::copy_n(rows.gradients + static_cast<std::int64_t>(i) * sizes.embedding_size, sizes.embedding_size,
                dense[rows.rows[i]].data_ptr<float>());
  }
  return dense;
}

void CheckGradients(const Case& c) {
  const auto exact = c.Model();
  exact->to(torch::kDouble);
  const Batch batch = MakeBatch(c.examples, c.all);
  const ClassifierOutput expected = exact->Classify(batch, exact->Embed(batch));
  const Tensor leaf = expected.logits.detach().requires_grad_(true);
  torch::nn::functional::cross_entropy(leaf, batch.labels).backward();
  const Tensor d_logits = leaf.grad().to(torch::kFloat).contiguous();

  const auto model = c.Model();
  const FlatParameters parameters(*model);
  const auto fused = model->Fuse(parameters.Find());
  FusedBatch packed;
  PackBatch(c.examples, c.all, c.sizes.vocabulary_size, packed);
  RC_ASSERT(RelativeError(fused->Forward(packed), expected.logits) < kTolerance);
  const float* attention = fused->attention();
  for (std::int64_t b = 0; b < std::ssize(c.examples); ++b) {
    const std::int64_t length = std::ssize(c.examples[b].tokens);
    RC_ASSERT(RelativeError(attention, expected.attention.select(1, b).narrow(0, 0, length)) < kTolerance);
    attention += length;
  }

  fused->Backward(d_logits.data_ptr<float>());
  auto gradients = model->named_parameters();
  for (const EmbeddingGradient& embedding : fused->WeightGradients()) {
    gradients[embedding.parameter].mutable_grad() = Dense(embedding.rows, c.sizes);
  }
  expected.logits.backward(d_logits.to(torch::kDouble));
  // Some gradients, the attention's bias above all, are what is left where large terms cancel, so that no float32 has
  // all their digits: errors are measured by the largest gradient of the model.
  double largest = 0;
  for (const Tensor& parameter : exact->parameters()) {
    largest = std::max(largest, parameter.grad().abs().max().item<double>());
  }
  for (const auto& item : exact->named_parameters()) {
    const Tensor difference = gradients[item.key()].grad().to(torch::kDouble) - item.value().grad();
    RC_ASSERT(difference.abs().max().item<double>() < kTolerance * largest);  // false for a NaN
  }
}

RC_GTEST_PROP(FusedSingleAttention, EqualsThePlainGraphInValuesAndGradients, ()) {
  CheckGradients(Case(MakeSingleAttention, *rc::gen::inRange(0, 1'000'000)));
}
RC_GTEST_PROP(FusedPairAttention, EqualsThePlainGraphInValuesAndGradients, ()) {
  CheckGradients(Case(MakePairAttention, *rc::gen::inRange(0, 1'000'000)));
}

// Embedding gradients and the optimiser: several steps of both, with rows that come and go.
void CheckTraining(MakeModel make) {
  Case c(make, 5);
  c.examples = RandomExamples(9, 60, c.sizes.vocabulary_size, c.sizes.class_count);
  if (make == MakeSingleAttention) {
    for (EncodedExample& example : c.examples) example.second_tokens.clear();
  }
  const auto plain = c.Model(), fused = c.Model();
  const FlatParameters parameters(*plain);
  Adam adam(parameters, {.learning_rate = 0.01, .weight_decay = 0.001});
  FusedTrainer trainer(*fused, c.Dataset(), {.learning_rate = 0.01, .weight_decay = 0.001});
  for (std::int64_t step = 0; step < 24; ++step) {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < 5; ++i) indices.push_back((step * 7 + i * 11) % 60);
    const double expected = PlainTrainStep(*plain, adam, MakeBatch(c.examples, indices));
    EXPECT_NEAR(trainer.Step(c.examples, indices), expected, 1e-4) << step;
  }
  trainer.BringWeightsUpToDate();
  for (const auto& item : plain->named_parameters()) {
    const Tensor actual = fused->named_parameters()[item.key()];
    EXPECT_LT(RelativeError(actual.contiguous().data_ptr<float>(), item.value()), 1e-3) << item.key();
  }
}

TEST(FusedTrainer, FollowsThePlainTrainingOfSingles) { CheckTraining(MakeSingleAttention); }
TEST(FusedTrainer, FollowsThePlainTrainingOfPairs) { CheckTraining(MakePairAttention); }

struct MeasureRow {
  const char* name;
  ExplainSettings settings;
  ScoreChunk (*fused)(const ExplainedModel&);
  PlainMeasure (*plain)(Classifier&);
};
const MeasureRow kMeasures[] = {
    {"attention", {Measure::kAttention}, AttentionMeasure, PlainAttention},
    {"gradient", {Measure::kGradient}, GradientMeasure, PlainGradient},
    {"input_times_gradient", {Measure::kInputTimesGradient}, InputTimesGradientMeasure, PlainInputTimesGradient},
    {"integrated_gradient",
     {Measure::kIntegratedGradient, IntegratedGradientVariant::kPublished},
     IntegratedGradientMeasure,
     [](Classifier& model) { return PlainIntegratedGradient(model, IntegratedGradientVariant::kPublished); }},
    {"integrated_gradient textbook",
     {Measure::kIntegratedGradient, IntegratedGradientVariant::kTextbook},
     IntegratedGradientMeasure,
     [](Classifier& model) { return PlainIntegratedGradient(model, IntegratedGradientVariant::kTextbook); }},
};

// The first measure whose scores differ, with where; empty when none does.
std::string DifferingMeasure(const Case& c) {
  const auto exact = c.Model();
  exact->to(torch::kDouble);
  const Batch batch = MakeBatch(c.examples, c.all);
  const auto model = c.Model();
  const FlatParameters parameters(*model);
  const auto fused = model->Fuse(parameters.Find());
  const float* matrix = model->EmbeddingMatrix().data_ptr<float>();
  // Fifty passes of the slow twin: not for every case.
  const bool integrates = c.seed % 8 == 0;
  for (const MeasureRow& row : kMeasures) {
    if (row.settings.measure == Measure::kIntegratedGradient && !integrates) continue;
    std::vector<float> scores;
    for (const EncodedExample& example : c.examples) scores.resize(scores.size() + example.tokens.size());
    row.fused({*fused, matrix, fused->first_encoder().shape(), c.sizes.class_count, row.settings})({c.examples, c.all},
                                                                                                   scores.data());
    const Tensor expected = row.plain(*exact)(batch);
    // Scores are what is left of terms that cancel, so the digits that float32 can have vary: LibTorch's tell how many.
    const double error_of_plain = (row.plain(*model)(batch).to(torch::kDouble) - expected).abs().max().item<double>();
    const double allowed = std::max(1e-4 * expected.abs().max().item<double>(), 8 * error_of_plain) + 1e-12;
    const float* score = scores.data();
    for (std::int64_t b = 0; b < std::ssize(c.examples); ++b) {
      for (std::int64_t t = 0; t < std::ssize(c.examples[b].tokens); ++t, ++score) {
        const double difference = std::abs(*score - expected[t][b].item<double>());
        if (!(difference <= allowed)) return absl::StrCat(row.name, ", text ", b, ", token ", t);
      }
    }
  }
  return "";
}

RC_GTEST_PROP(FusedMeasures, EqualAutomaticDifferentiationForSingles, ()) {
  RC_ASSERT(DifferingMeasure(Case(MakeSingleAttention, *rc::gen::inRange(0, 1'000'000))) == "");
}
RC_GTEST_PROP(FusedMeasures, EqualAutomaticDifferentiationForPairs, ()) {
  RC_ASSERT(DifferingMeasure(Case(MakePairAttention, *rc::gen::inRange(0, 1'000'000))) == "");
}

// Longer than what is read at all steps at once, between texts that are not.
TEST(FusedMeasures, ALongTextIsIntegratedInPieces) {
  Case c(MakeSingleAttention, 3);
  c.sizes.hidden_size = 4;
  c.sizes.embeddings = Embeddings::kRandom;
  RandomStream random(0, "long");
  c.examples = {{RandomText(random, 5, c.sizes.vocabulary_size), {}, 0},
                {RandomText(random, 500, c.sizes.vocabulary_size), {}, 0},
                {RandomText(random, 400, c.sizes.vocabulary_size), {}, 0}};
  c.all = {0, 1, 2};
  c.seed = 0;
  EXPECT_EQ(DifferingMeasure(c), "");
}

}  // namespace
}  // namespace roar::ml
