#pragma once

#include "absl/status/status.h"
#include "core/experiment/job_spec.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

// OK when the settings can be trained with. InvalidArgument names the setting.
absl::Status CheckSettings(const TrainingSettings& settings);

// OK when all three splits have examples, ids and labels lie in range, no first sequence is empty, and either every
// example has a second sequence or none. InvalidArgument names the split and example.
absl::Status CheckData(const EncodedDataset& dataset);

}  // namespace roar::ml
