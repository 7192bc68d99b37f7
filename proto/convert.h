#pragma once

#include "absl/status/statusor.h"
#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"
#include "core/sweep/assemble.h"
#include "core/sweep/sweep_spec.h"
#include "proto/roar/v1/job.pb.h"
#include "proto/roar/v1/sweep_service.pb.h"

// The only translation between the domain's types and messages. ToProto is total; FromProto fails with InvalidArgument
// that names the field when a name is unknown, a oneof is not set or a hash has not its form. A mask is read as
// Normalized(): a spec from outside names no input that its key does not depend on.

namespace roar {

v1::TrainSpec ToProto(const TrainSpec& spec);
v1::ExplainSpec ToProto(const ExplainSpec& spec);
v1::JobSpec ToProto(const JobSpec& spec);
v1::JobResult ToProto(const JobResult& result);
v1::SweepSpec ToProto(const SweepSpec& spec);
// Fills unit, curves and racu.
v1::GetResultsResponse ToProto(const SweepResults& results);

absl::StatusOr<TrainSpec> FromProto(const v1::TrainSpec& message);
absl::StatusOr<ExplainSpec> FromProto(const v1::ExplainSpec& message);
absl::StatusOr<JobSpec> FromProto(const v1::JobSpec& message);
absl::StatusOr<JobResult> FromProto(const v1::JobResult& message);
// Names of models, measures and strategies stay text: Validate() is their judge.
absl::StatusOr<SweepSpec> FromProto(const v1::SweepSpec& message);
absl::StatusOr<SweepResults> FromProto(const v1::GetResultsResponse& message);

}  // namespace roar
