#pragma once

#include "proto/roar/v1/sweep_service.pb.h"
#include "server/service_state.h"

// What people see of a sweep. On the coordinator's thread.

namespace roar::server {

// Without cells, running jobs, failures and spec.
v1::SweepInfo Summarize(const ServiceState& state, const SweepRecord& sweep);
v1::SweepInfo Detail(const ServiceState& state, const SweepRecord& sweep);

// Seconds until the sweep is finished, were its jobs as long as finished ones of their kind: the remaining work spread
// over the slots of all workers, and at least the longest chain of jobs that wait for each other. Negative when no job
// of a remaining kind has finished yet, or there is no slot.
double EstimateSecondsLeft(const ServiceState& state, const SweepRecord& sweep);

}  // namespace roar::server
