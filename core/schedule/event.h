#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"
#include "core/schedule/job_state.h"
#include "core/sweep/plan.h"

// What happens, as the scheduler is told of it.

namespace roar::schedule {

// Every job comes after its inputs, which are jobs of the same sweep. Jobs known already are shared; FAILED, ABORTED
// and CANCELED ones are planned again, with their failures forgotten. A known sweep id acts like RetrySweep.
struct SubmitSweep {
  std::int64_t sweep_id = 0;
  std::vector<PlannedJob> jobs;
};
// Unfinished jobs that no other sweep needs become CANCELED. A canceled sweep needs nothing until it is asked for
// again.
struct CancelSweep {
  std::int64_t sweep_id = 0;
};
// FAILED, ABORTED and CANCELED jobs of the sweep are planned again; SUCCEEDED ones are kept.
struct RetrySweep {
  std::int64_t sweep_id = 0;
};

struct RunningReport {
  JobKey key;
  std::int64_t epoch = 0;
  Phase phase = Phase::kStaging;
  double progress = 0;
};
struct FailureReport {
  FailureKind kind = FailureKind::kWorkerLost;
  std::string reason;
};
struct FinishedReport {
  JobKey key;
  std::int64_t epoch = 0;
  std::variant<JobResult, FailureReport> outcome;
};
// One idempotent call for start, heartbeat, completion, drain and reconnect. Its parts act in this order: leases of an
// earlier incarnation end, finished reports are judged, leases are renewed, free slots are filled.
struct Synchronize {
  std::string worker;
  std::string incarnation;
  // Jobs it can hold at once. Falls it below what the worker holds, the excess is taken back, what does not run first.
  int slots = 0;
  std::vector<RunningReport> running;
  std::vector<FinishedReport> finished;
  // A draining worker keeps what it holds and is given no new job.
  bool draining = false;
};
// A result that another coordinator accepted. It becomes the job's unless the job has one: a job that is unknown here
// is added, one that is not finished loses its lease, one that failed or was canceled is asked for again.
struct ImportResult {
  JobKey key;
  JobSpec spec;
  JobResult result;
};
// Time has passed: leases may have expired, back-offs ended, workers gone.
struct Tick {};

using Event = std::variant<SubmitSweep, CancelSweep, RetrySweep, Synchronize, ImportResult, Tick>;

}  // namespace roar::schedule
