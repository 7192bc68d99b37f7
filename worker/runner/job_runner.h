#pragma once

#include "proto/roar/v1/runner.pb.h"
#include "worker/runner/dataset_loader.h"
#include "worker/runner/job_progress.h"

namespace roar::runner {

// Does jobs, one after the other, on the thread that calls. Keeps data sets and the last model in memory for the jobs
// that follow: an explanation usually follows its training.
// ml::SetUpThreads() has been called before. Not thread-safe.
class JobRunner {
 public:
  // `threads` is what SetUpThreads() was given: for provenance.
  explicit JobRunner(int threads) : threads_(threads) {}

  // Reads and checks the inputs, trains or explains, and writes the output to job.output_path(). Never throws. What
  // goes wrong is a failure: `out_of_memory` when memory did not suffice, `preempted` when `sink` no longer listens,
  // and `deterministic` for all that would go wrong again: inputs that are missing or not what their hash says, a key
  // that is not the spec's, bad settings, a loss that is not a number.
  v1::RunnerMessage::Done Run(const v1::RunJob& job, const ProgressSink& sink);

 private:
  int threads_;
  DatasetLoader datasets_;
  ml::Session models_;
};

// Device, software and threads of this process, as every result states them.
v1::Provenance DescribeRunner(int threads);

}  // namespace roar::runner
