#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/ml/plain_pair_attention.h"
#include "tests/ml/tiny_data.h"
#include "worker/ml/explain/plain_measures.h"
#include "worker/ml/model/bilstm.h"
#include "worker/ml/model/classifier.h"
#include "worker/ml/model/pair_attention.h"

namespace roar::ml {
namespace {

using torch::Tensor;

constexpr ClassifierSizes kSizes = {.vocabulary_size = 12, .class_count = 3, .embedding_size = 4, .hidden_size = 3};

std::shared_ptr<Classifier> RandomModel(torch::Dtype dtype = torch::kFloat) {
  torch::manual_seed(11);
  auto model = MakePairAttention(kSizes);
  model->to(dtype);
  return model;
}

// Ordinary texts, one of only [CLS] and [EOS], one all masked, one of a single token.
std::vector<EncodedExample> Examples() {
  auto examples = RandomExamples(3, 9, kSizes.vocabulary_size, kSizes.class_count);
  examples.push_back({{kCls, kEos}, {kCls, 5, kEos}, 1});
  examples.push_back({{kCls, kMask, kMask, kMask, kEos}, {kCls, 6, 7, kEos}, 2});
  examples.push_back({{8}, {9}, 0});
  return examples;
}

Batch All(const std::vector<EncodedExample>& examples) {
  std::vector<std::int64_t> all(examples.size());
  std::iota(all.begin(), all.end(), 0);
  return MakeBatch(examples, all);
}

PlainPairAttention TwinOf(const Classifier& model) {
  PlainPairAttention twin{.parameters = {}, .embedding_size = 4, .hidden_size = 3, .class_count = 3};
  for (const auto& item : model.named_parameters()) {
    const Tensor values = item.value().detach().to(torch::kDouble).contiguous();
    twin.parameters[item.key()].assign(values.data_ptr<double>(), values.data_ptr<double>() + values.numel());
  }
  return twin;
}

TEST(PairAttention, EqualsItsPlainTwin) {
  const auto model = RandomModel();
  const auto examples = Examples();
  const Batch batch = All(examples);
  const ClassifierOutput output = model->Classify(batch, model->Embed(batch));
  const PlainPairAttention twin = TwinOf(*model);
  for (std::int64_t b = 0; b < batch.size(); ++b) {
    const auto expected = twin.Run(examples[b]);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(output.logits[b][c].item<double>(), expected.logits[c], 1e-5) << b;
    for (std::size_t t = 0; t < expected.attention.size(); ++t) {
      EXPECT_NEAR(output.attention[t][b].item<double>(), expected.attention[t], 1e-5) << b << " " << t;
    }
  }
}

TEST(PairAttention, AttendsToMaskableTokensAlone) {
  const auto model = RandomModel();
  const auto examples = Examples();
  const Batch batch = All(examples);
  const Tensor attention = model->Classify(batch, model->Embed(batch)).attention;
  const Tensor maskable = batch.first.tokens >= kMask;
  EXPECT_EQ(attention.masked_select(maskable.logical_not()).abs().sum().item<double>(), 0);
  const Tensor has_maskable = maskable.any(0).to(torch::kFloat);
  EXPECT_TRUE(torch::allclose(attention.sum(0), has_maskable));
  EXPECT_EQ(has_maskable.min().item<double>(), 0) << "the data should hold a text without a maskable token";
}

TEST(PairAttention, GradientsEqualFiniteDifferences) {
  const auto model = RandomModel(torch::kDouble);
  const auto examples = Examples();
  const Batch batch = All(examples);
  const auto loss = [&] {
    return torch::nn::functional::cross_entropy(model->Classify(batch, model->Embed(batch)).logits, batch.labels);
  };
  loss().backward();
  constexpr double kStep = 1e-5;
  for (auto& item : model->named_parameters()) {
    const Tensor gradient = item.value().grad().flatten();
    const bool is_embedding = item.key().find("embedding") != std::string::npos;
    Tensor values = item.value().detach().view(-1);
    for (std::int64_t i = is_embedding ? kSizes.embedding_size : 0; i < values.numel(); ++i) {
      const double before = values[i].item<double>();
      values[i] = before + kStep;
      const double above = loss().item<double>();
      values[i] = before - kStep;
      const double below = loss().item<double>();
      values[i] = before;
      EXPECT_NEAR(gradient[i].item<double>(), (above - below) / (2 * kStep), 1e-8) << item.key() << " " << i;
    }
  }
}

TEST(PairAttention, LogitGradientsEqualFiniteDifferencesOfTheEmbeddings) {
  const auto model = RandomModel(torch::kDouble);
  const auto examples = Examples();
  const Batch batch = All(examples);
  Tensor embeddings = model->Embed(batch).detach();
  const auto true_logits = [&](const Tensor& embedded) {
    return model->Classify(batch, embedded).logits.gather(1, batch.labels.unsqueeze(1)).sum();
  };
  const Tensor leaf = embeddings.clone().requires_grad_(true);
  const Tensor gradient = torch::autograd::grad({true_logits(leaf)}, {leaf})[0].flatten();
  Tensor values = embeddings.view(-1);
  constexpr double kStep = 1e-5;
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    const double before = values[i].item<double>();
    values[i] = before + kStep;
    const double above = true_logits(embeddings).item<double>();
    values[i] = before - kStep;
    const double below = true_logits(embeddings).item<double>();
    values[i] = before;
    EXPECT_NEAR(gradient[i].item<double>(), (above - below) / (2 * kStep), 1e-8) << i;
  }
}

TEST(PairAttention, PaddingRowIsZeroAndStaysSo) {
  const auto model = RandomModel();
  const auto examples = Examples();
  const Batch batch = All(examples);
  torch::nn::functional::cross_entropy(model->Classify(batch, model->Embed(batch)).logits, batch.labels).backward();
  for (const auto& item : model->named_parameters()) {
    if (item.key().find("embedding") == std::string::npos) continue;
    EXPECT_EQ(item.value()[0].abs().sum().item<double>(), 0);
    EXPECT_EQ(item.value().grad()[0].abs().sum().item<double>(), 0);
    EXPECT_GT(item.value().grad().abs().sum().item<double>(), 0);
  }
}

TEST(PairAttention, EncodersStartFromOneMatrix) {
  const auto parameters = RandomModel()->named_parameters();
  EXPECT_TRUE(
      torch::equal(parameters["first_encoder.embedding.weight"], parameters["second_encoder.embedding.weight"]));
  EXPECT_FALSE(
      torch::equal(parameters["first_encoder.bilstm.input_weight"], parameters["second_encoder.bilstm.input_weight"]));
}

// LibTorch's layout: [4 * hidden, input] per direction, gates in the order input, forget, cell, output.
void CopyInto(torch::nn::LSTM& lstm, Bilstm& bilstm, std::int64_t hidden_size) {
  const torch::NoGradGuard no_gradient;
  for (const auto& [ours, theirs] : {std::pair{"input_weight", "weight_ih_l0"},
                                     {"recurrent_weight", "weight_hh_l0"},
                                     {"input_bias", "bias_ih_l0"},
                                     {"recurrent_bias", "bias_hh_l0"}}) {
    for (int direction = 0; direction < 2; ++direction) {
      const auto gates = bilstm->named_parameters()[ours][direction].t().split(hidden_size);
      Tensor target = lstm->named_parameters()[std::string(theirs) + (direction == 1 ? "_reverse" : "")];
      target.copy_(torch::cat({gates[0], gates[1], gates[3], gates[2]}).view(target.sizes()));
    }
  }
}

TEST(Bilstm, EqualsLibTorchOnPackedSequences) {
  constexpr std::int64_t kInput = 4, kHidden = 3;
  torch::manual_seed(5);
  Bilstm bilstm(kInput, kHidden);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(kInput, kHidden).bidirectional(true));
  CopyInto(lstm, bilstm, kHidden);
  const auto examples = Examples();
  const PaddedSequences sequences = All(examples).first;
  const Tensor inputs = torch::randn({sequences.tokens.size(0), sequences.tokens.size(1), kInput});
  const auto packed = torch::nn::utils::rnn::pack_padded_sequence(inputs, sequences.lengths, /*batch_first=*/false,
                                                                  /*enforce_sorted=*/false);
  const auto [packed_states, last] = lstm->forward_with_packed_input(packed);
  const Tensor expected = std::get<0>(torch::nn::utils::rnn::pad_packed_sequence(packed_states));
  const Tensor states = bilstm(inputs, sequences.reversal);
  const Tensor is_real = torch::arange(inputs.size(0)).unsqueeze(1) < sequences.lengths;
  EXPECT_TRUE(torch::allclose(states * is_real.unsqueeze(-1), expected, 1e-5, 1e-6));
  const Tensor expected_last = torch::cat({std::get<0>(last)[0], std::get<0>(last)[1]}, -1);
  EXPECT_TRUE(torch::allclose(LastStates(states, sequences.lengths), expected_last, 1e-5, 1e-6));
}

TEST(PlainGradient, IsTheNormOverTheVocabulary) {
  const auto model = RandomModel();
  const auto examples = Examples();
  const Batch batch = All(examples);
  const Tensor leaf = model->Embed(batch).detach().requires_grad_(true);
  const Tensor logits = model->Classify(batch, leaf).logits.gather(1, batch.labels.unsqueeze(1));
  const Tensor gradient = torch::autograd::grad({logits.sum()}, {leaf})[0];
  const Tensor naive = gradient.matmul(model->EmbeddingMatrix().t()).norm(2, -1);  // of [time, batch, vocabulary]
  EXPECT_GT(naive.max().item<double>(), 0);
  EXPECT_TRUE(torch::allclose(PlainGradient(*model)(batch), naive, 1e-5, 1e-8));
}

TEST(PlainMeasures, GiveAnExampleAloneWhatTheyGiveItInABatch) {
  const auto model = RandomModel();
  const auto examples = Examples();
  for (const auto& make : {PlainAttention, PlainGradient, PlainInputTimesGradient}) {
    const PlainMeasure score = make(*model);
    const Tensor together = score(All(examples));
    for (std::int64_t i = 0; i < std::ssize(examples); ++i) {
      const std::int64_t only[] = {i};
      const Tensor alone = score(MakeBatch(examples, only)).select(1, 0);
      EXPECT_TRUE(torch::allclose(alone, together.select(1, i).narrow(0, 0, alone.size(0)), 1e-5, 1e-7)) << i;
    }
  }
}

TEST(PlainMeasures, AreFiniteWithoutAMaskableToken) {
  const auto model = RandomModel();
  const std::vector<EncodedExample> examples = {{{kCls, kEos}, {kCls, 5, kEos}, 1}};
  for (const auto& make : {PlainAttention, PlainGradient, PlainInputTimesGradient}) {
    EXPECT_EQ(make(*model)(All(examples)).abs().sum().item<double>(), 0);
  }
}

}  // namespace
}  // namespace roar::ml
