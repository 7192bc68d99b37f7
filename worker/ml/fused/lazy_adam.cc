#include "worker/ml/fused/lazy_adam.h"

#include <algorithm>
#include <cmath>

namespace roar::ml {
LazyAdam::LazyAdam(std::span<const FlatParameter> parameters, float* weights, const float* gradients,
                   const Options& options)
    : options_(options), weights_(weights), gradients_(gradients) {
  std::int64_t size = 0;
  for (const FlatParameter& place : parameters) {
    size = std::max(size, place.offset + place.rows * place.row_size);
    parameters_.push_back({place, std::vector<std::int64_t>(place.is_embedding ? place.rows : 0, 0)});
  }
  for (std::vector<float>* moment : {&mean_, &square_, &largest_square_}) moment->assign(size, 0.0f);
}

LazyAdam::Parameter& LazyAdam::Find(const std::string& name) {
  return *std::find_if(parameters_.begin(), parameters_.end(),
                       [&](const Parameter& parameter) { return parameter.place.name == name; });
}

void LazyAdam::Update(const Parameter& parameter, std::int64_t row, std::span<const AdamStep> steps,
                      const float* gradient) {
  const FlatParameter& place = parameter.place;
  const std::int64_t at = place.offset + row * place.row_size;
  AdamConstants constants;
  if (place.decays) constants.weight_decay = static_cast<float>(options_.weight_decay);
  kernels_.adam(place.row_size, constants, steps.data(), std::ssize(steps), gradient, weights_ + at,
                {mean_.data() + at, square_.data() + at, largest_square_.data() + at});
}

void LazyAdam::BringRowUpToDate(Parameter& parameter, std::int64_t row) {
  std::int64_t& made = parameter.steps_made[row];
  if (made == std::ssize(steps_)) return;
  Update(parameter, row, std::span(steps_).subspan(made), nullptr);
  made = std::ssize(steps_);
}

void LazyAdam::BringUpToDate(const std::string& embedding, std::span<const std::int32_t> rows) {
  Parameter& parameter = Find(embedding);
  for (const std::int32_t row : rows) BringRowUpToDate(parameter, row);
}

void LazyAdam::BringAllUpToDate() {
  for (Parameter& parameter : parameters_) {
    for (std::int64_t row = 0; row < std::ssize(parameter.steps_made); ++row) BringRowUpToDate(parameter, row);
  }
}

void LazyAdam::Step(std::span<const EmbeddingGradient> embeddings) {
  const auto number = static_cast<double>(steps_.size() + 1);
  steps_.push_back({.step_size = static_cast<float>(options_.learning_rate / (1 - std::pow(kAdamBeta1, number))),
                    .inverse_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(kAdamBeta2, number)))});
  const auto this_step = std::span(steps_).last(1);
  for (const Parameter& parameter : parameters_) {
    if (!parameter.place.is_embedding) Update(parameter, 0, this_step, gradients_ + parameter.place.offset);
  }
  for (const EmbeddingGradient& embedding : embeddings) {
    Parameter& parameter = Find(embedding.parameter);
    const float* gradient = embedding.rows.gradients;
    for (const std::int32_t row : embedding.rows.rows) {
      Update(parameter, row, this_step, gradient);
      parameter.steps_made[row] = std::ssize(steps_);
      gradient += parameter.place.row_size;
    }
  }
}

}  // namespace roar::ml
