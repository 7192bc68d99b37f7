#pragma once

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"
#include "proto/roar/v1/bundle.pb.h"
#include "proto/transport/artifact_transfer.h"

namespace roar {

// Judges what a bundle holds, in its order, as a coordinator would that knows nothing but the bundle: every key is that
// of its spec, every result is complete and was made of the outputs of its inputs, which come before it, and every
// ranking is there. Each error is DataLoss and says which job is wrong.
class BundleCheck {
 public:
  absl::Status Add(const v1::BundledJob& job);
  absl::Status Add(const ArtifactName& artifact);
  // When all was added.
  absl::Status Finish() const;

 private:
  struct FinishedJob {
    JobSpec spec;
    JobResult result;
  };
  std::map<JobKey, FinishedJob> jobs_;
  std::set<std::string> rankings_missing_;
  std::set<std::string> checkpoints_;
};

}  // namespace roar
