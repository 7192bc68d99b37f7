#include "datasets/generators/generators.h"

#include <algorithm>

#include "datasets/generators/babi_generator.h"

namespace roar::datasets {
namespace {

template <int task>
absl::StatusOr<Dataset> GenerateBabiTask(const GeneratorOptions& options) {
  return GenerateBabi(task, options);
}

constexpr Generator kGenerators[] = {
    {"babi-gen-1", GenerateBabiTask<1>},
    {"babi-gen-2", GenerateBabiTask<2>},
    {"babi-gen-3", GenerateBabiTask<3>},
};

}  // namespace

std::span<const Generator> Generators() { return kGenerators; }

const Generator* FindGenerator(std::string_view name) {
  const Generator* found = std::find_if(std::begin(kGenerators), std::end(kGenerators),
                                        [name](const Generator& generator) { return generator.name == name; });
  return found == std::end(kGenerators) ? nullptr : found;
}

}  // namespace roar::datasets
