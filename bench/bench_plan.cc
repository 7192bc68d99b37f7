// How long planning takes by the size of the sweep: both strategies, two measures, ratios by 10.

#include <benchmark/benchmark.h>

#include <string>

#include "core/sweep/plan.h"

namespace roar {
namespace {

// 63 jobs a seed: 1 + 1 + 9 trainings shared or random, 2 x (9 + 8) ranked trainings, 2 x 9 explanations.
SweepSpec Spec(std::int64_t seed_count) {
  SweepSpec spec{.name = "bench",
                 .datasets = {{.name = "babi-1", .reference = {.content_sha256 = std::string(64, 'a')}}},
                 .models = {"bilstm_attention"},
                 .measures = {"attention", "gradient"},
                 .strategies = {"roar", "recursive"},
                 .steps = {10, 20, 30, 40, 50, 60, 70, 80, 90}};
  for (std::int64_t seed = 0; seed < seed_count; ++seed) spec.seeds.push_back(seed);
  return spec;
}

void BM_Plan(benchmark::State& state) {
  const SweepSpec spec = Spec(state.range(0));
  std::size_t jobs = 0;
  for (auto _ : state) {
    const Plan plan = MakePlan(spec);
    jobs = plan.jobs.size();
    benchmark::DoNotOptimize(plan);
  }
  state.counters["jobs"] = static_cast<double>(jobs);
  state.counters["jobs_per_second"] =
      benchmark::Counter(static_cast<double>(jobs), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(BM_Plan)->Arg(1)->Arg(85)->Arg(1600)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roar

BENCHMARK_MAIN();
