#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "bench/run_on_one_thread.h"
#include "bench/training_shapes.h"
#include "worker/ml/fused/matrix.h"
#include "worker/ml/model/pair_attention.h"
#include "worker/ml/model/single_attention.h"
#include "worker/ml/training/adam.h"
#include "worker/ml/training/fused_trainer.h"
#include "worker/ml/training/trainer.h"

// A whole training step (forward, backward, optimiser) at the shapes of SST and bAbI-1, on one thread, over batches
// that follow each other like an epoch's. Counters of the fused step:
//   speedup_over_plain  time of the plain LibTorch step over its own
//   times_floor         its time over that of the step's matrix products, as separate sgemm calls for a batch of
//                       texts of mean length, and a copy of nine times the parameters' bytes (read w, m, v, v_max and
//                       the gradient, write w, m, v, v_max)

namespace roar::ml {
namespace {

constexpr std::int64_t kBatches = 20;

struct Setting {
  explicit Setting(const TrainingShape& of)
      : shape(of), examples(ExamplesOf(of, of.batch_size * kBatches)), model((torch::manual_seed(0), Make(of))) {}

  static std::shared_ptr<Classifier> Make(const TrainingShape& shape) {
    const ClassifierSizes sizes = {shape.vocabulary_size, shape.class_count, shape.embedding_size, shape.hidden_size};
    return shape.second_tokens == 0 ? MakeSingleAttention(sizes) : MakePairAttention(sizes);
  }
  std::vector<std::int64_t> Batch(std::int64_t step) const {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < shape.batch_size; ++i) indices.push_back(step % kBatches * shape.batch_size + i);
    return indices;
  }
  EncodedDataset Dataset() const {
    return {.splits = {}, .vocabulary_size = shape.vocabulary_size, .class_count = shape.class_count};
  }

  TrainingShape shape;
  std::vector<EncodedExample> examples;
  std::shared_ptr<Classifier> model;
};

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The mean over `count` calls after `warm_up` more.
double MeanSeconds(std::int64_t warm_up, std::int64_t count, const std::function<void(std::int64_t)>& work) {
  for (std::int64_t i = 0; i < warm_up; ++i) work(i);
  return SecondsOf([&] {
           for (std::int64_t i = 0; i < count; ++i) work(warm_up + i);
         }) /
         static_cast<double>(count);
}

double PlainSeconds(const TrainingShape& shape) {
  Setting setting(shape);
  const FlatParameters parameters(*setting.model);
  Adam adam(parameters, {.learning_rate = 1e-3, .weight_decay = 1e-5});
  return MeanSeconds(2, kBatches, [&](std::int64_t step) {
    PlainTrainStep(*setting.model, adam, MakeBatch(setting.examples, setting.Batch(step)));
  });
}

// Forward, and for each product the two of its gradients.
void ProductAndGradients(Shape shape, const float* a, const float* b, float* c) {
  Multiply(shape, a, b, c);
  MultiplyTransposed({shape.rows, shape.inner, shape.columns}, a, b, c);
  TransposedMultiply({shape.inner, shape.columns, shape.rows}, a, b, c);
}

// The products of an encoder on `time` steps of `batch` texts: inputs at once, the recurrence step by step.
void EncoderProducts(const TrainingShape& shape, std::int64_t time, const float* a, const float* b, float* c) {
  const std::int64_t gates = 4 * shape.hidden_size, batch = shape.batch_size;
  for (int direction = 0; direction < 2; ++direction) {
    ProductAndGradients({time * batch, gates, shape.embedding_size}, a, b, c);
    for (std::int64_t t = 0; t < time; ++t) {
      Multiply({batch, gates, shape.hidden_size}, a, b, c);
      MultiplyTransposed({batch, shape.hidden_size, gates}, a, b, c);
    }
    TransposedMultiply({shape.hidden_size, gates, time * batch}, a, b, c);
  }
}

double FloorSeconds(const TrainingShape& shape) {
  Setting setting(shape);
  const std::int64_t time = (shape.shortest + shape.longest) / 2, hidden = shape.hidden_size;
  const std::int64_t widest = std::max({4 * hidden, shape.embedding_size, time * shape.batch_size});
  std::vector<float> a(static_cast<std::size_t>(widest * widest), 0.5f), b = a, c = a;
  std::int64_t parameters = 0;
  for (const torch::Tensor& parameter : setting.model->parameters()) parameters += parameter.numel();
  std::vector<float> from(static_cast<std::size_t>(9 * parameters), 1.0f), to = from;
  return MeanSeconds(2, kBatches, [&](std::int64_t) {
    EncoderProducts(shape, time, a.data(), b.data(), c.data());
    if (shape.second_tokens > 0) EncoderProducts(shape, shape.second_tokens, a.data(), b.data(), c.data());
    ProductAndGradients({time * shape.batch_size, hidden, 2 * hidden}, a.data(), b.data(), c.data());
    std::memcpy(to.data(), from.data(), from.size() * sizeof(float));
  });
}

void FusedStep(benchmark::State& state, const TrainingShape& shape) {
  Setting setting(shape);
  FusedTrainer trainer(*setting.model, setting.Dataset(), {.learning_rate = 1e-3, .weight_decay = 1e-5});
  std::int64_t step = 0;
  double seconds = 0;
  for (auto _ : state) {
    seconds += SecondsOf([&] {
      benchmark::DoNotOptimize(trainer.Step(setting.examples, setting.Batch(step++)));
      // The steps that rows without a gradient still owe belong to the time of an epoch.
      if (step % kBatches == 0) trainer.BringWeightsUpToDate();
    });
  }
  seconds /= static_cast<double>(state.iterations());
  state.counters["speedup_over_plain"] = PlainSeconds(shape) / seconds;
  state.counters["times_floor"] = seconds / FloorSeconds(shape);
  state.SetItemsProcessed(state.iterations() * shape.batch_size);
}
BENCHMARK_CAPTURE(FusedStep, sst, kSst)->Unit(benchmark::kMillisecond)->Iterations(10 * kBatches);
BENCHMARK_CAPTURE(FusedStep, babi_1, kBabi1)->Unit(benchmark::kMillisecond)->Iterations(10 * kBatches);

void PlainStep(benchmark::State& state, const TrainingShape& shape) {
  for (auto _ : state) state.SetIterationTime(PlainSeconds(shape));
}
BENCHMARK_CAPTURE(PlainStep, sst, kSst)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK_CAPTURE(PlainStep, babi_1, kBabi1)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);

void Floor(benchmark::State& state, const TrainingShape& shape) {
  for (auto _ : state) state.SetIterationTime(FloorSeconds(shape));
}
BENCHMARK_CAPTURE(Floor, sst, kSst)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK_CAPTURE(Floor, babi_1, kBabi1)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);

}  // namespace
}  // namespace roar::ml

int main(int argc, char** argv) { return roar::ml::RunOnOneThread(argc, argv); }
