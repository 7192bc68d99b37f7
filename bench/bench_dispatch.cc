// How long a worker waits for its next job when 200 of them share the coordinator: the time of a Synchronize call, in
// this process, that reports a result and brings a job.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/coordinator.h"
#include "tests/support/fake_work.h"
#include "tests/support/temporary_folder.h"

namespace roar::server {
namespace {

constexpr int kWorkers = 200;
// Between two results of a worker; a training takes longer. The workers start spread over it.
constexpr auto kJobTime = std::chrono::milliseconds(500);

double Percentile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void BM_Dispatch(benchmark::State& state) {
  std::vector<double> milliseconds;
  for (auto _ : state) {
    TemporaryFolder folder;
    Metrics metrics("bench");
    const std::unique_ptr<ArtifactStore> artifacts = *ArtifactStore::Open(folder.path());
    StoreFakeOutputs(*artifacts);
    const std::unique_ptr<Coordinator> coordinator =
        *Coordinator::Start({folder.path() / "control.db", {}}, *artifacts, metrics);
    std::vector<std::int64_t> seeds(667);
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = static_cast<std::int64_t>(i);
    const SweepSpec spec = FakeSweep(StoreDataset(*artifacts), seeds);
    coordinator->Do([&](ServiceState& service) { return service.SubmitSweep(spec); }).status().IgnoreError();
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int i = 0; i < kWorkers; ++i) {
      threads.emplace_back([&, i] {
        FakeWorker worker(*coordinator, absl::StrCat("w", i), 1);
        std::vector<double> own;
        std::this_thread::sleep_for(kJobTime * i / kWorkers);
        do {
          const auto start = std::chrono::steady_clock::now();
          if (!worker.Work().ok()) break;
          own.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
          std::this_thread::sleep_for(kJobTime);
        } while (!worker.jobs().empty());
        std::lock_guard lock(mutex);
        milliseconds.insert(milliseconds.end(), own.begin(), own.end());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  state.counters["calls"] = static_cast<double>(milliseconds.size());
  state.counters["p50_ms"] = Percentile(milliseconds, 0.50);
  state.counters["p99_ms"] = Percentile(milliseconds, 0.99);
  state.counters["max_ms"] = milliseconds.back();
}
BENCHMARK(BM_Dispatch)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace roar::server

BENCHMARK_MAIN();
