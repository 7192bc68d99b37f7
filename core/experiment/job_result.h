#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/experiment/names.h"

// What a finished job leaves behind, with where it came from.

namespace roar {

// Of one split, over all its examples. Metrics are fractions in [0, 1]; rules in core/faithfulness/classification.h.
struct SplitMetrics {
  std::int64_t examples = 0;
  // Examples without a maskable token; they are kept, with nothing to mask.
  std::int64_t examples_without_maskable_token = 0;
  // Mean cross entropy, natural logarithm.
  double loss = 0;
  double accuracy = 0;
  double macro_f1 = 0;
  double micro_f1 = 0;
  // Absent where it is undefined: no class has both an example of it and one of another.
  std::optional<double> auroc;
  bool operator==(const SplitMetrics&) const = default;
};

// NaN for an AUROC that is absent.
double Value(const SplitMetrics& metrics, Metric metric);

struct TrainResult {
  // Of the kept epoch, counted from 1; epochs_run is smaller than the setting when validation reached its maximum.
  std::int64_t best_epoch = 0;
  std::int64_t epochs_run = 0;
  std::map<Split, SplitMetrics> metrics;
  std::string checkpoint_sha256;
  bool operator==(const TrainResult&) const = default;
};

struct ExplainResult {
  std::string ranking_sha256;
  bool operator==(const ExplainResult&) const = default;
};

// An input the job read: its role in the job ("dataset", "ranking", "checkpoint") and the hash that names it.
struct InputHash {
  std::string role;
  std::string sha256;
  auto operator<=>(const InputHash&) const = default;
};

// Where and how a result came about. Never part of a key. Bit identity is claimed within one device kind.
struct Provenance {
  std::string worker;
  std::string device_kind;
  std::string software;
  std::int64_t threads = 0;
  // Of a split explanation, the most that it or a shard of it has used.
  std::int64_t peak_memory_bytes = 0;
  // Seconds by phase, by its name; proto/roar/v1/job.proto says which there are. Those of a split explanation are its own
  // and its shards'.
  std::map<std::string, double> seconds_by_phase;
  bool operator==(const Provenance&) const = default;
};

struct JobResult {
  std::variant<TrainResult, ExplainResult> outcome;
  std::vector<InputHash> inputs;
  Provenance provenance;
  bool operator==(const JobResult&) const = default;
};

// The hash of the artifact that other jobs read: a checkpoint or a ranking.
const std::string& OutputSha256(const JobResult& result);

}  // namespace roar
