#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/commands/command.h"
#include "proto/roar/v1/sweep_service.pb.h"

namespace roar {

// What there is so far of the results of the sweep that `selector` names.
absl::StatusOr<v1::GetResultsResponse> FetchResults(const CommandContext& context, const std::string& selector);
absl::StatusOr<v1::GetResultsResponse> FetchResults(const Coordinator& coordinator, std::int64_t sweep_id);

// All of it: the output of `results`, and the end of `run`.
void PrintResults(const output::Output& output, const v1::GetResultsResponse& results);

}  // namespace roar
