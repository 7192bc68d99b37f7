#pragma once

#include "core/sweep/sweep_spec.h"

namespace roar {

// A sweep without problems, for tests to change.
inline SweepSpec SampleSweep() {
  SweepSpec spec;
  spec.name = "sample";
  spec.datasets = {{"babi-1", {std::string(64, 'a'), 0}}};
  spec.models = {"bilstm_attention"};
  spec.measures = {"attention", "gradient"};
  spec.strategies = {"roar", "recursive"};
  spec.steps = {10, 20, 30, 40, 50, 60, 70, 80, 90};
  spec.seeds = {0};
  return spec;
}

}  // namespace roar
