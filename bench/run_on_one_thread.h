#pragma once

#include <benchmark/benchmark.h>

#include "worker/ml/run_job.h"

namespace roar::ml {

// The main() of a benchmark of training or explaining: on one thread, as a slot is.
inline int RunOnOneThread(int argc, char** argv) {
  SetUpThreads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace roar::ml
