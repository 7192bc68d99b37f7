#include "server/job_labels.h"

#include "absl/strings/str_cat.h"

namespace roar::server {
namespace {

// "recursive gradient 30 %", or what is shared by all measures.
std::string Masking(const Plan& plan, const Cell& cell, std::int64_t step) {
  if (step == 0) return "unmasked";
  if (plan.unit == MaskUnit::kRatioPercent && step == 100) return "all masked";
  return absl::StrCat(std::string(Name(cell.strategy)), " ", std::string(Name(cell.measure)), " ", step,
                      plan.unit == MaskUnit::kRatioPercent ? " %"
                      : step == 1                          ? " token"
                                                           : " tokens");
}

}  // namespace

JobLabels::JobLabels(const Plan& plan) {
  for (std::uint32_t cell = 0; cell < plan.cells.size(); ++cell) {
    const auto& trainings = plan.cells[cell].trainings;
    for (std::uint32_t step = 0; step < trainings.size(); ++step) {
      for (std::uint32_t seed = 0; seed < trainings[step].size(); ++seed) {
        places_.emplace(trainings[step][seed].hex(), Place{cell, step, seed});
      }
    }
  }
}

std::string JobLabels::DescribeTraining(const Plan& plan, const JobKey& key) const {
  const auto found = places_.find(key.hex());
  if (found == places_.end()) return key.Short();
  const Cell& cell = plan.cells[found->second.cell];
  return absl::StrCat(cell.dataset, " ", Masking(plan, cell, plan.steps[found->second.step]), " seed ",
                      plan.seeds[found->second.seed]);
}

std::string JobLabels::Describe(const Plan& plan, const JobKey& key, const JobSpec& spec) const {
  if (const auto* explain = std::get_if<ExplainSpec>(&spec)) {
    return absl::StrCat("explain ", std::string(Name(explain->settings.measure)), " of ",
                        DescribeTraining(plan, std::get<JobKey>(explain->source)));
  }
  return absl::StrCat("train ", DescribeTraining(plan, key));
}

}  // namespace roar::server
