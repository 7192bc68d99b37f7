#include "datasets/text/validation_split.h"

#include <utility>

#include "core/experiment/random_stream.h"

namespace roar::datasets {
namespace {

constexpr std::size_t kValidationPercent = 15;

}  // namespace

void TakeValidationSplit(Dataset& dataset) {
  std::vector<Example> train = std::move(dataset.splits[Split::kTrain]);
  const std::vector<std::int64_t> order = RandomStream(0, "split").Permutation(static_cast<std::int64_t>(train.size()));
  std::vector<bool> is_validation(train.size(), false);
  for (std::size_t i = 0; i < train.size() * kValidationPercent / 100; ++i) {
    is_validation[static_cast<std::size_t>(order[i])] = true;
  }
  std::vector<Example> kept;
  std::vector<Example> validation;
  for (std::size_t i = 0; i < train.size(); ++i) (is_validation[i] ? validation : kept).push_back(std::move(train[i]));
  dataset.splits[Split::kTrain] = std::move(kept);
  dataset.splits[Split::kValidation] = std::move(validation);
}

}  // namespace roar::datasets
