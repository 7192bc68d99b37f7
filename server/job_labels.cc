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
  AddExplainedData(plan);
}

// The mask of a training comes from the explanation of the data of the step before, or of the unmasked data.
void JobLabels::AddExplainedData(const Plan& plan) {
  for (const PlannedJob& job : plan.jobs) {
    const auto* train = std::get_if<TrainSpec>(&job.spec);
    const auto* ranked = train == nullptr ? nullptr : std::get_if<RankedMask>(&train->mask);
    const auto place = places_.find(job.key.hex());
    if (ranked == nullptr || place == places_.end()) continue;
    const Cell& cell = plan.cells[place->second.cell];
    if (NeedsModel(cell.measure)) continue;
    const std::uint32_t explained_step = cell.strategy == Strategy::kRecursive ? place->second.step - 1 : 0;
    places_.emplace(ranked->explanation.hex(), Place{place->second.cell, explained_step, place->second.seed});
  }
}

std::string JobLabels::DescribeData(const Plan& plan, const JobKey& key) const {
  const auto found = places_.find(key.hex());
  if (found == places_.end()) return key.Short();
  const Cell& cell = plan.cells[found->second.cell];
  return absl::StrCat(cell.dataset, " ", Masking(plan, cell, plan.steps[found->second.step]));
}

std::string JobLabels::DescribeTraining(const Plan& plan, const JobKey& key) const {
  const auto found = places_.find(key.hex());
  if (found == places_.end()) return key.Short();
  return absl::StrCat(DescribeData(plan, key), " seed ", plan.seeds[found->second.seed]);
}

std::string JobLabels::Describe(const Plan& plan, const JobKey& key, const JobSpec& spec) const {
  if (const auto* explain = std::get_if<ExplainSpec>(&spec)) {
    const auto* train = std::get_if<JobKey>(&explain->source);
    return absl::StrCat("explain ", std::string(Name(explain->settings.measure)), " of ",
                        train != nullptr ? DescribeTraining(plan, *train) : DescribeData(plan, key));
  }
  return absl::StrCat("train ", DescribeTraining(plan, key));
}

}  // namespace roar::server
