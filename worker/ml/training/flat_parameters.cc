#include "worker/ml/training/flat_parameters.h"

#include <algorithm>

namespace roar::ml {

FlatParameters::FlatParameters(Classifier& model) {
  const torch::NoGradGuard no_gradient;
  std::vector<torch::Tensor> flat;
  std::int64_t offset = 0;
  for (const auto& item : model.named_parameters()) {
    const torch::Tensor& parameter = item.value();
    const bool is_embedding = item.key().ends_with("embedding.weight");
    const std::int64_t rows = is_embedding ? parameter.size(0) : 1;
    places_.push_back({.name = item.key(),
                       .offset = offset,
                       .rows = rows,
                       .row_size = parameter.numel() / rows,
                       .is_embedding = is_embedding,
                       .decays = model.Decays(item.key())});
    flat.push_back(parameter.flatten());
    offset += parameter.numel();
  }
  weights_ = torch::cat(flat);
  gradients_ = torch::zeros_like(weights_);
  const auto place = places_.begin();
  std::size_t index = 0;
  for (auto& item : model.named_parameters()) {
    torch::Tensor& parameter = item.value();
    const FlatParameter& at = place[index++];
    parameter.set_data(weights_.narrow(0, at.offset, parameter.numel()).view(parameter.sizes()));
    parameter.mutable_grad() = gradients_.narrow(0, at.offset, parameter.numel()).view(parameter.sizes());
  }
}

FindParameter FlatParameters::Find() const {
  return [this](const std::string& name) {
    const auto found =
        std::find_if(places_.begin(), places_.end(), [&](const auto& place) { return place.name == name; });
    TORCH_CHECK(found != places_.end(), "the model has no parameter ", name);
    return ParameterMemory{weights_.data_ptr<float>() + found->offset, gradients_.data_ptr<float>() + found->offset};
  };
}

}  // namespace roar::ml
