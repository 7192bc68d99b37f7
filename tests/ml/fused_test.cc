// The fused model against its slow twin, the plain LibTorch graph in double precision: values and gradients over random
// shapes, lengths and masks; training step by step; every importance measure.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
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

// The gradients of the plain graph's parameters for these gradients of the logits.
std::map<std::string, Tensor> PlainGradients(Classifier& model, const Batch& batch, const Tensor& d_logits) {
  const Tensor logits = model.Classify(batch, model.Embed(batch)).logits;
  logits.backward(d_logits.to(logits.dtype()));
  std::map<std::string, Tensor> gradients;
  for (const auto& item : model.named_parameters()) gradients[item.key()] = item.value().grad().to(torch::kDouble);
  return gradients;
}

// What differs first, of values and gradients; empty when nothing does.
std::string DifferingValue(const Case& c) {
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
  if (!(RelativeError(fused->Forward(packed), expected.logits) < kTolerance)) return "logits";
  const float* attention = fused->attention();
  for (std::int64_t b = 0; b < std::ssize(c.examples); ++b) {
    const std::int64_t length = std::ssize(c.examples[b].tokens);
    if (!(RelativeError(attention, expected.attention.select(1, b).narrow(0, 0, length)) < kTolerance))
      return absl::StrCat("attention of text ", b);
    attention += length;
  }

  fused->Backward(d_logits.data_ptr<float>());
  auto gradients = model->named_parameters();
  for (const EmbeddingGradient& embedding : fused->WeightGradients()) {
    gradients[embedding.parameter].mutable_grad() = Dense(embedding.rows, c.sizes);
  }
  // Some gradients, the attention's bias above all, are what is left where terms of the size of the others cancel, so
  // that no float32 has all their digits: LibTorch's tell how many, and the last digit of the largest is none of
  // theirs.
  const auto largest = [](const Tensor& values) { return values.abs().max().item<double>(); };
  const std::map<std::string, Tensor> wanted = PlainGradients(*exact, batch, d_logits);
  std::map<std::string, Tensor> of_plain = PlainGradients(*c.Model(), batch, d_logits);
  double largest_of_all = 0;
  for (const auto& [name, gradient] : wanted) largest_of_all = std::max(largest_of_all, largest(gradient));
  for (const auto& [name, gradient] : wanted) {
    const double allowed = std::max({kTolerance * largest(gradient), 8 * largest(of_plain[name] - gradient),
                                     std::numeric_limits<float>::epsilon() * largest_of_all});
    const double difference = largest(gradients[name].grad().to(torch::kDouble) - gradient);
    if (!(difference < allowed)) return absl::StrCat("gradient of ", name, ": ", difference, " above ", allowed);
  }
  return "";
}

RC_GTEST_PROP(FusedSingleAttention, EqualsThePlainGraphInValuesAndGradients, ()) {
  RC_ASSERT(DifferingValue(Case(MakeSingleAttention, *rc::gen::inRange(0, 1'000'000))) == "");
}
RC_GTEST_PROP(FusedPairAttention, EqualsThePlainGraphInValuesAndGradients, ()) {
  RC_ASSERT(DifferingValue(Case(MakePairAttention, *rc::gen::inRange(0, 1'000'000))) == "");
}

// A whole batch of the published experiments.
Case PublishedBatch(MakeModel make, const ClassifierSizes& sizes, std::int64_t count, std::int64_t longest) {
  Case c(make, 1);
  c.sizes = sizes;
  c.examples = RandomExamples(1, count, sizes.vocabulary_size, sizes.class_count);
  c.all.clear();
  for (std::int64_t i = 0; i < count; ++i) {
    c.all.push_back(i);
    RandomStream random(1, "text", i);
    c.examples[i].tokens = RandomText(random, 6 + i * (longest - 6) / (count - 1), sizes.vocabulary_size);
    if (make == MakeSingleAttention) c.examples[i].second_tokens.clear();
  }
  return c;
}
TEST(FusedSingleAttention, EqualsThePlainGraphAtTheSizeOfSst) {
  EXPECT_EQ(DifferingValue(PublishedBatch(MakeSingleAttention, {2000, 2, 300, 128, Embeddings::kRandom}, 32, 50)), "");
}
TEST(FusedPairAttention, EqualsThePlainGraphAtTheSizeOfBabi) {
  EXPECT_EQ(DifferingValue(PublishedBatch(MakePairAttention, {40, 36, 50, 32, Embeddings::kRandom}, 50, 70)), "");
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

// The logit of each text's true class with its embeddings scaled.
std::vector<double> TrueLogits(const Case& c, FusedClassifier& fused, float scale) {
  FusedBatch batch;
  PackScaledBatch(c.examples, c.all, std::vector<float>{scale}, c.sizes.vocabulary_size, batch);
  const float* logits = fused.Forward(batch);
  std::vector<double> of_true_class;
  for (const EncodedExample& example : c.examples) {
    of_true_class.push_back(logits[example.label]);
    logits += c.sizes.class_count;
  }
  return of_true_class;
}

// The textbook variant gives out all of what the logit is above the baseline's, up to what a sum of 50 steps is off the
// integral: for a change of the slope by s, about s / 100.
void CheckCompleteness(MakeModel make) {
  for (std::int64_t seed = 1; seed <= 20; ++seed) {
    Case c(make, seed);
    c.sizes.embeddings = Embeddings::kRandom;
    const auto model = c.Model();
    const FlatParameters parameters(*model);
    const auto fused = model->Fuse(parameters.Find());
    std::size_t tokens = 0;
    for (const EncodedExample& example : c.examples) tokens += example.tokens.size();
    std::vector<float> scores(tokens);
    SignedIntegratedGradient({*fused,
                              model->EmbeddingMatrix().data_ptr<float>(),
                              fused->first_encoder().shape(),
                              c.sizes.class_count,
                              {Measure::kIntegratedGradient, IntegratedGradientVariant::kTextbook}})(
        {c.examples, c.all}, scores.data());
    const std::vector<double> at_text = TrueLogits(c, *fused, 1), at_baseline = TrueLogits(c, *fused, 0);
    constexpr float kNear = 0.01f;
    const std::vector<double> before_text = TrueLogits(c, *fused, 1 - kNear), past = TrueLogits(c, *fused, kNear);
    const float* score = scores.data();
    for (std::size_t i = 0; i < c.examples.size(); ++i) {
      const std::size_t length = c.examples[i].tokens.size();
      const double sum = std::accumulate(score, score + length, 0.0);
      score += length;
      // Right sum less half a step at both ends: the trapezoidal rule.
      const double slope_at_text = (at_text[i] - before_text[i]) / kNear;
      const double slope_at_baseline = (past[i] - at_baseline[i]) / kNear;
      const double trapezoidal = sum - (slope_at_text - slope_at_baseline) / (2 * kIntegratedGradientSteps);
      EXPECT_NEAR(trapezoidal, at_text[i] - at_baseline[i], 0.003) << "seed " << seed << ", text " << i;
    }
  }
}
TEST(IntegratedGradient, OfTheTextbookIsCompleteForSingles) { CheckCompleteness(MakeSingleAttention); }
TEST(IntegratedGradient, OfTheTextbookIsCompleteForPairs) { CheckCompleteness(MakePairAttention); }

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
