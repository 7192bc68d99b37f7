#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"
#include "worker/ml/encoded_dataset.h"

// Training and explaining, the only code that knows LibTorch. This header is its whole public face and free of
// LibTorch's types. It is given decoded, already masked token ids; it knows neither protocol nor storage.
//
// Determinism: a call's outcome depends on its arguments alone (on one device kind), not on the calls before it. Call
// SetUpThreads() once per process before anything else; calls are made from one thread at a time.

namespace roar::ml {

// Called between steps, on the calling thread. `progress` is of the whole call, in [0, 1]. Returning false cancels: the
// call ends soon with absl::CancelledError. Loading is told of once, by Explain, when the model is in memory.
enum class Activity { kLoading, kTraining, kEvaluating, kExplaining };
using ProgressCallback = std::function<bool(Activity activity, double progress)>;

struct TrainOutcome {
  std::int64_t best_epoch = 0;
  std::int64_t epochs_run = 0;
  // All is filled but examples_without_maskable_token, the caller's to count.
  std::map<Split, SplitMetrics> metrics;
  // Of the checkpoint's bytes.
  std::string checkpoint_sha256;
};

// Where a checkpoint lies, and the SHA-256 that its bytes must have.
struct CheckpointFile {
  std::filesystem::path path;
  std::string sha256;
};

// One score per position of each example's first sequence, [CLS] and [EOS] included (their values mean nothing).
// Computed in evaluation mode in fixed chunks of the split's order by length, so the values do not depend on anything
// but the example, the weights and the chunk.
using Scores = std::map<Split, std::vector<std::vector<float>>>;

// How a model is explained, and which chunks of the data: an example of no chunk of the shard has no scores.
struct ExplainRequest {
  ExplainSettings settings;
  Shard shard;
};

// Trains and explains, one call at a time. The weights of the last model, trained or explained, stay in memory until
// the next call that needs another: who explains what was just trained reads no checkpoint. They are the checkpoint's,
// bit for bit, so a call's outcome is that of a new session. A failed call leaves nothing in memory.
class Session {
 public:
  Session();
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // Trains a fresh model of `spec.model` from `spec.seed` (spec.mask and spec.dataset are not looked at: the data come
  // masked) and writes the kept epoch's weights to `checkpoint_path`: the same bytes for the same arguments.
  // Errors: InvalidArgument (bad settings, an id or label out of range, an empty split, a checkpoint_metric that the
  // validation split does not have), DataLoss (the loss became NaN or infinite; says at which epoch and step),
  // Cancelled, ResourceExhausted (out of memory), Unavailable (the checkpoint cannot be written here: disk full, no
  // such folder).
  absl::StatusOr<TrainOutcome> Train(const TrainSpec& spec, const EncodedDataset& dataset,
                                     const std::filesystem::path& checkpoint_path, const ProgressCallback& progress);

  // Scores of a measure that needs a model, under the weights of `checkpoint`, for the true class's logit, of every
  // example of the shard. The file is read unless its model is in memory.
  // Errors: as Train, and DataLoss when the checkpoint has another hash or does not fit the spec and data.
  absl::StatusOr<Scores> Explain(const TrainSpec& spec, const EncodedDataset& dataset, const ExplainRequest& request,
                                 const CheckpointFile& checkpoint, const ProgressCallback& progress);

 private:
  struct KeptModel;
  std::unique_ptr<KeptModel> kept_;
};

// Scores of a measure that needs no model, of every example of every split, from the data as they are masked.
// Errors: InvalidArgument as Train, and when the measure needs a model.
absl::StatusOr<Scores> ExplainData(Measure measure, const EncodedDataset& dataset);

// One-time set-up of the process: number of CPU threads, deterministic algorithms.
void SetUpThreads(int threads);

// For provenance. The device kind names all that decides the last bits: the instruction set of the project's kernels,
// that of OpenBLAS's and, of several, the number of threads that share a product: "cpu-avx2-haswell",
// "cpu-avx2-zen-4-threads". The library versions: "LibTorch 1.13.1, OpenBLAS ...". To be called after SetUpThreads().
std::string DeviceKind();
std::string SoftwareVersions();

}  // namespace roar::ml
