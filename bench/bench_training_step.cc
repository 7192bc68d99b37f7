#include <benchmark/benchmark.h>

#include <vector>

#include "core/experiment/random_stream.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/run_job.h"
#include "worker/ml/training/adam.h"
#include "worker/ml/training/trainer.h"

// A whole step of the shape of bAbI-1: 50 examples, stories of 2 to 10 sentences (14 to 63 tokens, the longest always
// there), questions of 5 tokens, 32 units per direction, 36 classes. One thread.

namespace roar::ml {
namespace {

constexpr std::int64_t kBatchSize = 50;
constexpr ClassifierSizes kSizes = {.vocabulary_size = 25, .class_count = 36, .embedding_size = 50, .hidden_size = 32};

std::vector<EncodedExample> Examples() {
  std::vector<EncodedExample> examples;
  for (std::int64_t i = 0; i < kBatchSize; ++i) {
    RandomStream random(0, "bench", i);
    const std::size_t length = i == 0 ? 63 : 14 + random.Below(50);
    EncodedExample example{
        std::vector<std::int32_t>(length), {1, 5, 6, 7, 2}, static_cast<std::int32_t>(random.Below(36))};
    for (auto& token : example.tokens) token = 5 + static_cast<std::int32_t>(random.Below(20));
    example.tokens.front() = 1;
    example.tokens.back() = 2;
    examples.push_back(std::move(example));
  }
  return examples;
}

struct Setting {
  Setting() { torch::manual_seed(0); }
  std::vector<EncodedExample> examples = Examples();
  std::shared_ptr<Classifier> model = MakePairAttention(kSizes);
  Adam adam{*model, {.learning_rate = 1e-3, .weight_decay = 1e-5}};
};

void TrainingStep(benchmark::State& state) {
  Setting setting;
  for (auto _ : state) {
    benchmark::DoNotOptimize(TrainStep(*setting.model, setting.adam, MakeChunk(setting.examples, 0, kBatchSize)));
  }
  state.SetItemsProcessed(state.iterations() * kBatchSize);
}
BENCHMARK(TrainingStep)->Unit(benchmark::kMillisecond);

void ForwardOnly(benchmark::State& state) {
  Setting setting;
  const torch::NoGradGuard no_gradient;
  for (auto _ : state) {
    const Batch batch = MakeChunk(setting.examples, 0, kBatchSize);
    benchmark::DoNotOptimize(setting.model->Classify(batch, setting.model->Embed(batch)).logits);
  }
}
BENCHMARK(ForwardOnly)->Unit(benchmark::kMillisecond);

void OptimizerStep(benchmark::State& state) {
  Setting setting;
  for (auto _ : state) setting.adam.Step();
}
BENCHMARK(OptimizerStep)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roar::ml

int main(int argc, char** argv) {
  roar::ml::SetUpThreads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
