#pragma once

#include <string>
#include <vector>

#include "client/output/json.h"
#include "core/sweep/sweep_spec.h"

// Every setting that a sweep trains and explains with, and where its value comes from.

namespace roar {

struct Setting {
  // The sweep file's key.
  std::string name;
  // A number or a string.
  output::Json value;
  // "sweep file", "preset sst", "default for data of one's own" or "default".
  std::string source;
};

// What holds for a data set and a model of the sweep.
struct Configuration {
  std::string dataset;
  std::string model;
  std::vector<Setting> settings;
};

// In the order of the sweep. The spec must be free of problems (Validate).
std::vector<Configuration> ConfigurationsOf(const SweepSpec& spec);

// A row per setting, ending with a newline.
std::string ConfigurationTable(const std::vector<Configuration>& configurations);
// [{"dataset", "model", "settings": {NAME: {"value", "source"}}}]
output::Json ConfigurationsJson(const std::vector<Configuration>& configurations);

}  // namespace roar
