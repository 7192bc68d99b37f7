#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"

// Whether a result is one of a job. Whoever takes results asks here: the scheduler of its workers' and of imported
// ones, the reader of a bundle before it sends any.

namespace roar::schedule {

// A job that has succeeded. Pointers live as long as what they were found in.
struct SucceededJob {
  const JobSpec* spec = nullptr;
  const std::string* output_sha256 = nullptr;
};
// Nothing for a job that is unknown or has not succeeded.
using FindSucceeded = std::function<std::optional<SucceededJob>(const JobKey&)>;

// What a job reads.
struct JobInputs {
  // Jobs whose output it is, as in PlannedJob.
  std::vector<JobKey> keys;
  // Sorted.
  std::vector<InputHash> hashes;
};
// FailedPrecondition, with its key, when a job whose output is read was not found; InvalidArgument when that is a job
// of the wrong kind.
absl::StatusOr<JobInputs> InputsOf(const JobSpec& spec, const FindSucceeded& find);

// Why the result is not one of a job with that spec and those inputs, whoever made it; nothing when it is.
std::optional<std::string> WhyWrong(const JobSpec& spec, const JobInputs& inputs, const JobResult& result);

// What the result lacks that every runner reports, or has that no curve can show (a loss that is not finite, a metric
// that is no fraction); nothing when it is complete.
std::optional<std::string> WhyIncomplete(const JobResult& result);

}  // namespace roar::schedule
