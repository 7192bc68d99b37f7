#pragma once

#include <string>
#include <vector>

#include "proto/roar/v1/dataset_service.pb.h"
#include "proto/roar/v1/job_service.pb.h"
#include "proto/roar/v1/server_service.pb.h"
#include "proto/roar/v1/sweep_service.pb.h"
#include "proto/roar/v1/worker_service.pb.h"

// What commands print for people: tables and short texts, each ending with a newline.

namespace roar::output {

std::string SweepTable(const std::vector<v1::SweepInfo>& sweeps);
std::string SweepReport(const v1::SweepInfo& sweep);

// Per data set, model and strategy: a row per step, a column per measure, in percent.
std::string CurveTables(const v1::GetResultsResponse& results);
// A row per cell, in percent, and why seeds are missing.
std::string RacuTable(const v1::GetResultsResponse& results);

std::string DatasetTable(const std::vector<v1::DatasetInfo>& datasets);
std::string DatasetReport(const v1::DatasetInfo& dataset);
// Which sweep the results are of, and how far it is.
std::string ResultsHead(const v1::SweepInfo& sweep);
std::string JobTable(const std::vector<v1::JobInfo>& jobs);
std::string JobReport(const v1::JobInfo& job);
std::string WorkerTable(const std::vector<v1::WorkerInfo>& workers);
std::string ServerReport(const v1::GetServerInfoResponse& info);

}  // namespace roar::output
