#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/job_spec.h"
#include "core/experiment/names.h"

// What a researcher asks for. Built by the client from a sweep file, sent to the coordinator, validated by both.

namespace roar {

// Values that replace a preset's, each absent unless the user wrote it.
struct TrainingOverrides {
  std::optional<std::int64_t> epochs;
  std::optional<std::int64_t> batch_size;
  std::optional<double> learning_rate;
  std::optional<double> weight_decay;
  std::optional<std::int64_t> embedding_size;
  std::optional<std::int64_t> hidden_size;
  std::optional<std::string> checkpoint_metric;
  std::optional<std::string> embeddings;
  bool operator==(const TrainingOverrides&) const = default;
};

// A data set of the sweep by its name in results, with the content that the name stands for.
struct SweepDataset {
  std::string name;
  DatasetReference reference;
  bool operator==(const SweepDataset&) const = default;
};

struct SweepSpec {
  std::string name;
  std::vector<SweepDataset> datasets;
  // Names as the user wrote them; Validate() tells which are unknown. `random` may be asked for alone; the baseline is
  // implied by every other measure.
  std::vector<std::string> models;
  std::vector<std::string> measures;
  std::vector<std::string> strategies;
  MaskUnit unit = MaskUnit::kRatioPercent;
  // Ratios in integer percents, 0 and 100 implied; or counts of tokens, 0 implied and no 100 % point.
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> seeds;
  TrainingOverrides training;
  // What all curves are drawn of; that of each data set's preset unless written.
  std::optional<std::string> test_metric;
  // Of the measure integrated_gradient; published unless written.
  std::optional<std::string> ig_variant;
  bool operator==(const SweepSpec&) const = default;
};

// A larger sweep is refused: it is a slip, or belongs into several.
inline constexpr std::int64_t kMostJobsPerSweep = 1'000'000;

// A problem at a place of the sweep file and one line of what is wrong and what would be right. The path is that of a
// field, such as "datasets[0].limit", "ratios[2]" (steps go by the name of their unit) or "training.epochs", and empty
// for the sweep as a whole. The client maps the path to a line.
struct SweepProblem {
  std::string field_path;
  std::string message;
  bool operator==(const SweepProblem&) const = default;
};

// Every problem of the spec at once, in the order of the fields; empty when it can be planned. An unknown name comes
// with the nearest known one. The size of the plan is looked at once all else is right. Content hashes are checked for
// form only: whether they exist is the coordinator's to say.
std::vector<SweepProblem> Validate(const SweepSpec& spec);

// The known name nearest to `name` by edit distance, when close enough to be a slip (at most a third of its length).
std::optional<std::string> NearestName(std::string_view name, std::span<const std::string_view> known_names);

// SHA-256 over the canonical text of a sound spec (its name included), the versions of its jobs and what its presets
// say: asking for an equal spec again is the same sweep, until a version of Roar plans or computes its jobs in another
// way.
std::string SweepKey(const SweepSpec& spec);

}  // namespace roar
