// Durable transitions a second: jobs are leased and their results accepted through the coordinator, each change of
// state committed (synchronous FULL) before it is acknowledged. The number depends on the disk of the temporary
// directory.

#include <benchmark/benchmark.h>

#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/coordinator.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

namespace roar::server {
namespace {

// Workers with four slots each, until a sweep of about a thousand jobs is done. A job makes two durable transitions: it
// is leased, and it succeeds.
void BM_DurableTransitions(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  std::int64_t transitions = 0;
  for (auto _ : state) {
    state.PauseTiming();
    TemporaryFolder folder;
    Metrics metrics("bench");
    const std::unique_ptr<ArtifactStore> artifacts = *ArtifactStore::Open(folder.path());
    StoreFakeOutputs(*artifacts);
    const std::unique_ptr<Coordinator> coordinator =
        *Coordinator::Start({folder.path() / "control.db", {}}, *artifacts, metrics);
    std::vector<std::int64_t> seeds(100);
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = static_cast<std::int64_t>(i);
    const SweepSpec spec = FakeSweep(StoreDataset(*artifacts), seeds);
    const auto submitted = coordinator->Do([&](ServiceState& service) { return service.SubmitSweep(spec); });
    state.ResumeTiming();

    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < workers; ++i) {
      threads.emplace_back([&, i] {
        FakeWorker worker(*coordinator, absl::StrCat("w", i), 4);
        worker.WorkToEnd().IgnoreError();
      });
    }
    for (std::thread& thread : threads) thread.join();
    transitions += 2 * submitted->jobs_total;
  }
  state.counters["transitions_per_second"] =
      benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_DurableTransitions)->Arg(1)->Arg(8)->Arg(64)->UseRealTime()->Unit(benchmark::kMillisecond);

// Plan, graph and first commit of a sweep.
void BM_Submit(benchmark::State& state) {
  std::int64_t jobs = 0;
  for (auto _ : state) {
    state.PauseTiming();
    TemporaryFolder folder;
    Metrics metrics("bench");
    const std::unique_ptr<ArtifactStore> artifacts = *ArtifactStore::Open(folder.path());
    StoreFakeOutputs(*artifacts);
    const std::unique_ptr<Coordinator> coordinator =
        *Coordinator::Start({folder.path() / "control.db", {}}, *artifacts, metrics);
    std::vector<std::int64_t> seeds(static_cast<std::size_t>(state.range(0)));
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = static_cast<std::int64_t>(i);
    const SweepSpec spec = FakeSweep(StoreDataset(*artifacts), seeds);
    state.ResumeTiming();
    jobs = coordinator->Do([&](ServiceState& service) { return service.SubmitSweep(spec); })->jobs_total;
  }
  state.counters["jobs"] = static_cast<double>(jobs);
}
BENCHMARK(BM_Submit)->Arg(100)->Arg(667)->Iterations(3)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roar::server

BENCHMARK_MAIN();
