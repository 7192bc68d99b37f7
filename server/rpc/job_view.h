#pragma once

#include <string>

#include "proto/roar/v1/job_service.pb.h"
#include "server/service_state.h"

// What people see of a job. On the coordinator's thread.

namespace roar::server {

// As one of its sweeps calls it, or by its kind and key. A shard: "shard 1 of 4 of explain ...".
std::string DescribeJob(const ServiceState& state, const schedule::JobRecord& record);

// Why it does not run, in a sentence; empty when it does not wait.
std::string DescribeWait(const ServiceState& state, const JobKey& key);

// Without spec and result.
v1::JobInfo Summarize(const ServiceState& state, const schedule::JobRecord& record);

}  // namespace roar::server
