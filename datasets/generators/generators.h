#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "datasets/dataset.h"

namespace roar::datasets {

struct GeneratorOptions {
  // Train examples before the validation split is taken from them: at least 7, so that both get some.
  std::int64_t train_examples = 10'000;
  // At least 1; both at most 10 million.
  std::int64_t test_examples = 1'000;
  std::int64_t seed = 0;
};

// Makes a data set from nothing but its options: equal options, equal data set. InvalidArgument when a size is out of
// range. A new generator is one file and one row of the table.
struct Generator {
  // The data set's name in sweeps: never that of the real data it resembles.
  std::string_view name;
  absl::StatusOr<Dataset> (*generate)(const GeneratorOptions& options);
};

std::span<const Generator> Generators();
// The row of that name, or null.
const Generator* FindGenerator(std::string_view name);

}  // namespace roar::datasets
