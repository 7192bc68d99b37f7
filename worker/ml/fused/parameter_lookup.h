#pragma once

#include <string>

#include "worker/ml/fused/fused_attention.h"
#include "worker/ml/fused/fused_classifier.h"

// The parts of a fused model from the names of their parameters.

namespace roar::ml {

inline FusedLinear LinearOf(const FindParameter& find, const std::string& name, std::int64_t in_size,
                            std::int64_t out_size) {
  const ParameterMemory weight = find(name + ".weight"), bias = find(name + ".bias");
  return FusedLinear(in_size, out_size, {weight.values, bias.values}, {weight.gradients, bias.gradients});
}

inline FusedEncoder EncoderOf(const FindParameter& find, const std::string& name, const EncoderShape& shape) {
  const ParameterMemory input = find(name + ".bilstm.input_weight");
  const ParameterMemory recurrent = find(name + ".bilstm.recurrent_weight");
  const ParameterMemory input_bias = find(name + ".bilstm.input_bias");
  const ParameterMemory recurrent_bias = find(name + ".bilstm.recurrent_bias");
  return FusedEncoder(shape, find(name + ".embedding.weight").values,
                      {input.values, recurrent.values, input_bias.values, recurrent_bias.values},
                      {input.gradients, recurrent.gradients, input_bias.gradients, recurrent_bias.gradients});
}

inline FusedAttention AttentionOf(const FindParameter& find, const std::string& name, std::int64_t hidden_size) {
  const ParameterMemory weight = find(name + ".first.weight"), bias = find(name + ".first.bias");
  const ParameterMemory score = find(name + ".score.weight");
  return FusedAttention(hidden_size, {{weight.values, bias.values}, score.values},
                        {{weight.gradients, bias.gradients}, score.gradients});
}

}  // namespace roar::ml
