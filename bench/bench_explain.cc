#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "bench/run_on_one_thread.h"
#include "bench/training_shapes.h"
#include "worker/ml/explain/measures.h"
#include "worker/ml/explain/plain_measures.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/model/single_attention.h"
#include "worker/ml/training/flat_parameters.h"

// Explaining at the shapes of SST and bAbI-1, on one thread: a chunk of 32 texts at a time. Counters:
//   speedup_over_plain  time per text of LibTorch's automatic differentiation, on the same chunk, over its own
//   job_seconds         the time of all texts that an `explain` job of the data set computes: 8,904 of SST, 11,000 of
//                       bAbI-1

namespace roar::ml {
namespace {

constexpr std::int64_t kTexts = 32;

struct Row {
  const char* name;
  ExplainSettings settings;
  ScoreChunk (*fused)(const ExplainedModel&);
  PlainMeasure (*plain)(Classifier&);
};
const Row kAttention = {"attention", {Measure::kAttention}, AttentionMeasure, PlainAttention};
const Row kGradient = {"gradient", {Measure::kGradient}, GradientMeasure, PlainGradient};
const Row kInputTimesGradient = {
    "input_times_gradient", {Measure::kInputTimesGradient}, InputTimesGradientMeasure, PlainInputTimesGradient};
const Row kIntegratedGradient = {
    "integrated_gradient", {Measure::kIntegratedGradient}, IntegratedGradientMeasure, [](Classifier& model) {
      return PlainIntegratedGradient(model, IntegratedGradientVariant::kPublished);
    }};

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Explain(benchmark::State& state, const TrainingShape& shape, const Row& row, std::int64_t texts_of_job) {
  torch::manual_seed(0);
  const ClassifierSizes sizes = {shape.vocabulary_size, shape.class_count, shape.embedding_size, shape.hidden_size};
  const auto model = shape.second_tokens == 0 ? MakeSingleAttention(sizes) : MakePairAttention(sizes);
  for (torch::Tensor& parameter : model->parameters()) parameter.requires_grad_(false);
  // Chunks are of texts of about one length: those in the middle of many, by length.
  auto examples = ExamplesOf(shape, 40 * kTexts);
  const auto order = OrderByLength(examples);
  const std::span<const std::int64_t> chunk(order.data() + 20 * kTexts, kTexts);

  const FlatParameters parameters(*model);
  const auto fused = model->Fuse(parameters.Find());
  const ScoreChunk score = row.fused({*fused, model->EmbeddingMatrix().data_ptr<float>(),
                                      fused->first_encoder().shape(), shape.class_count, row.settings});
  std::vector<float> scores(static_cast<std::size_t>(kTexts * shape.longest));
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    score({examples, chunk}, scores.data());
    seconds += SecondsSince(start);
  }
  seconds /= static_cast<double>(state.iterations());

  const PlainMeasure plain = row.plain(*model);
  const auto start = std::chrono::steady_clock::now();
  plain(MakeBatch(examples, chunk));
  state.counters["speedup_over_plain"] = SecondsSince(start) / seconds;
  state.counters["job_seconds"] = seconds / kTexts * static_cast<double>(texts_of_job);
  state.SetItemsProcessed(state.iterations() * kTexts);
}

#define ROAR_EXPLAIN(measure)                                                                     \
  BENCHMARK_CAPTURE(Explain, sst_##measure, kSst, measure, 8'904)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(Explain, babi_1_##measure, kBabi1, measure, 11'000)->Unit(benchmark::kMillisecond)
ROAR_EXPLAIN(kAttention);
ROAR_EXPLAIN(kGradient);
ROAR_EXPLAIN(kInputTimesGradient);
ROAR_EXPLAIN(kIntegratedGradient);

}  // namespace
}  // namespace roar::ml

int main(int argc, char** argv) { return roar::ml::RunOnOneThread(argc, argv); }
