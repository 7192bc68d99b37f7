#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "proto/roar/v1/dataset_service.pb.h"
#include "proto/roar/v1/job_service.pb.h"
#include "proto/roar/v1/server_service.pb.h"
#include "proto/roar/v1/sweep_service.pb.h"
#include "proto/roar/v1/worker_service.pb.h"

// What --json prints: by the schemas of docs/schemas. Values are fractions, absent ones null; keys keep their
// order.

namespace roar::output {

using Json = nlohmann::ordered_json;

// One line, with its newline. Bytes that are no UTF-8 are replaced.
std::string Dump(const Json& json);

// What a list says of a sweep.
Json SweepSummaryJson(const v1::SweepInfo& sweep);
// That, and its cells, running jobs and failures.
Json SweepJson(const v1::SweepInfo& sweep);

// {"id", "name", "state"}.
Json SweepHeadJson(const v1::SweepInfo& sweep);
Json CurvesJson(const v1::GetResultsResponse& results);
// null for a sweep over counts: there is no 100 % point to relate to.
Json RacuJson(const v1::GetResultsResponse& results);

Json DatasetJson(const v1::DatasetInfo& dataset);
Json JobJson(const v1::JobInfo& job);
Json WorkerJson(const v1::WorkerInfo& worker);
Json ServerInfoJson(const v1::GetServerInfoResponse& info);

}  // namespace roar::output
