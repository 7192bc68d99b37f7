#include "core/experiment/job_result.h"

#include <limits>

namespace roar {

double Value(const SplitMetrics& metrics, Metric metric) {
  switch (metric) {
    case Metric::kAccuracy:
      return metrics.accuracy;
    case Metric::kMacroF1:
      return metrics.macro_f1;
    case Metric::kMicroF1:
      return metrics.micro_f1;
    case Metric::kAuroc:
      return metrics.auroc.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  return 0;
}

const std::string& OutputSha256(const JobResult& result) {
  if (const auto* train = std::get_if<TrainResult>(&result.outcome)) return train->checkpoint_sha256;
  return std::get<ExplainResult>(result.outcome).ranking_sha256;
}

}  // namespace roar
