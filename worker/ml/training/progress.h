#pragma once

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "worker/ml/run_job.h"

namespace roar::ml {

// Counts the examples worked on against all that the call will see, and asks the caller whether to go on.
class Progress {
 public:
  // `callback` may be empty and must outlive this.
  Progress(const ProgressCallback& callback, double total) : callback_(callback), total_(total) {}

  // Cancelled when the caller says so.
  absl::Status Advance(Activity activity, std::int64_t examples) {
    done_ += static_cast<double>(examples);
    const double share = std::min(1.0, done_ / total_);
    if (callback_ && !callback_(activity, share)) return absl::CancelledError("cancelled by the caller");
    return absl::OkStatus();
  }

 private:
  const ProgressCallback& callback_;
  double total_;
  double done_ = 0;
};

}  // namespace roar::ml
