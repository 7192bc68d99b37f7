#pragma once

#include "absl/status/status.h"
#include "worker/runner/job_runner.h"

namespace roar::runner {

// Asks the system to kill this process when its agent ends, however that happens. (An agent that ended before is
// noticed by its closed socket.)
void DieWithAgent();

// Does the jobs that arrive on `socket` until the agent closes it, also in the midst of a job; then OK. DataLoss when
// what arrives is not a RunJob.
absl::Status ServeJobs(int socket, JobRunner& runner);

}  // namespace roar::runner
