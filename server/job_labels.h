#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/sweep/plan.h"

namespace roar::server {

// Names the jobs of a sweep for people: "train babi-1 recursive gradient 30 % seed 2", "explain gradient of ...". A job
// that several cells share goes by the first, or by what they share: "unmasked", "all masked".
class JobLabels {
 public:
  JobLabels() = default;
  explicit JobLabels(const Plan& plan);

  // `plan` is the one it was made of. A job of another sweep is called by its key.
  std::string Describe(const Plan& plan, const JobKey& key, const JobSpec& spec) const;

 private:
  struct Place {
    std::uint32_t cell = 0;
    std::uint32_t step = 0;
    std::uint32_t seed = 0;
  };
  void AddExplainedData(const Plan& plan);
  std::string DescribeTraining(const Plan& plan, const JobKey& key) const;
  // Without the seed: "babi-1 recursive gradient 30 %".
  std::string DescribeData(const Plan& plan, const JobKey& key) const;

  // Of every training; of an explanation without a model, that of the first training on the data it explains.
  std::unordered_map<std::string, Place> places_;
};

}  // namespace roar::server
