#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "core/experiment/names.h"

// All that determines a unit of work, and nothing else: no path, host, time or code version. Two equal specs are the
// same work, whoever asks for it. A spec names its inputs by *their* keys, so lineage is known before anything runs.

namespace roar {

// Identity of a job: the SHA-256 of its canonical spec in 64 lower-case hexadecimal digits (see job_key.h). It is never
// parsed back. Empty means "none".
class JobKey {
 public:
  JobKey() = default;
  explicit JobKey(std::string hex) : hex_(std::move(hex)) {}
  const std::string& hex() const { return hex_; }
  bool empty() const { return hex_.empty(); }
  // The first 12 digits, for people.
  std::string Short() const { return hex_.substr(0, 12); }
  auto operator<=>(const JobKey&) const = default;

 private:
  std::string hex_;
};

struct DatasetReference {
  // SHA-256 of the canonical data set's bytes, 64 hexadecimal digits.
  std::string content_sha256;
  // Only the first `limit` examples of each split are used; 0 uses all.
  std::int64_t limit = 0;
  bool operator==(const DatasetReference&) const = default;
};

// Settings of a model and its training, each at the value of method-recursive-roar.md section 4 for bAbI.
// Presets (core/sweep/presets.h) fill them per data set and model.
struct TrainingSettings {
  std::int64_t epochs = 100;
  std::int64_t batch_size = 50;
  double learning_rate = 1e-3;
  // Coupled L2 weight decay.
  double weight_decay = 1e-5;
  std::int64_t embedding_size = 50;
  // Units of the LSTM per direction.
  std::int64_t hidden_size = 32;
  // Validation metric that chooses the kept epoch.
  Metric checkpoint_metric = Metric::kAccuracy;
  Embeddings embeddings = Embeddings::kRandom;
  bool operator==(const TrainingSettings&) const = default;
};

// Which tokens of the data are replaced by the mask token before training.
struct NoMask {
  bool operator==(const NoMask&) const = default;
};
struct AllMasked {
  bool operator==(const AllMasked&) const = default;
};
// The first `amount` tokens of a random order that depends on (seed, split, example index) only, hence nested.
struct RandomMask {
  MaskUnit unit = MaskUnit::kRatioPercent;
  std::int64_t amount = 0;
  std::int64_t seed = 0;
  bool operator==(const RandomMask&) const = default;
};
// The first `amount` tokens of the ranking that the `explain` job `explanation` made.
struct RankedMask {
  JobKey explanation;
  MaskUnit unit = MaskUnit::kRatioPercent;
  std::int64_t amount = 0;
  bool operator==(const RankedMask&) const = default;
};
using Mask = std::variant<NoMask, AllMasked, RandomMask, RankedMask>;

// Train a fresh model on masked data. Output: metrics per split, a checkpoint.
struct TrainSpec {
  DatasetReference dataset;
  Model model = Model::kBilstmAttention;
  TrainingSettings training;
  Mask mask;
  std::int64_t seed = 0;
  bool operator==(const TrainSpec&) const = default;
};

// What the scores of an explanation depend on besides its source.
struct ExplainSettings {
  Measure measure = Measure::kAttention;
  // Of integrated_gradient; no other measure's key depends on it.
  IntegratedGradientVariant integrated_gradient_variant = IntegratedGradientVariant::kPublished;
  bool operator==(const ExplainSettings&) const = default;
};

// What a measure that needs no model explains.
struct MaskedData {
  DatasetReference dataset;
  Mask mask;
  bool operator==(const MaskedData&) const = default;
};

// Rank the tokens of masked data by an importance measure. Tokens masked already keep their earlier rank. Output: a
// ranking (core/masks/ranking.h); it holds for every masking ratio.
struct ExplainSpec {
  // The training whose model is explained on the data it was trained on where NeedsModel(measure), else the data: no
  // model and no seed is part of such an explanation.
  std::variant<JobKey, MaskedData> source;
  ExplainSettings settings;
  bool operator==(const ExplainSpec&) const = default;
};

// A part of the chunks that an explanation is made in (worker/ml/run_job.h): numbered through all splits from 0, those
// whose number leaves `index` when divided by `count`. The default is all of them.
struct Shard {
  std::int64_t index = 0;
  std::int64_t count = 1;
  bool operator==(const Shard&) const = default;
};

// A part of an `explain` job that was split because slots were idle. Reads what the whole would. Output: the whole's
// ranking with nothing where the shard has no example; the shards' together are the whole's, to the bit.
struct ExplainShardSpec {
  JobKey explanation;
  Shard shard;
  bool operator==(const ExplainShardSpec&) const = default;
};

using JobSpec = std::variant<TrainSpec, ExplainSpec, ExplainShardSpec>;

// The alternatives of JobSpec, in its order.
enum class JobKind { kTrain, kExplain, kExplainShard };
inline constexpr std::size_t kJobKindCount = 3;
std::string_view Name(JobKind kind);
JobKind KindOf(const JobSpec& spec);

}  // namespace roar
