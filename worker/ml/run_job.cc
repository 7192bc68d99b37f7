#include "worker/ml/run_job.h"

#include <cblas.h>
#include <torch/torch.h>

#include <new>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "worker/ml/explain/explainer.h"
#include "worker/ml/fused/kernels.h"
#include "worker/ml/model/checkpoint.h"
#include "worker/ml/model/classifier.h"
#include "worker/ml/training/check_arguments.h"
#include "worker/ml/training/trainer.h"

namespace roar::ml {
namespace {

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// The one place where LibTorch's exceptions become statuses.
template <typename Function>
auto WithoutExceptions(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const c10::Error& error) {
    const std::string message = FirstLine(error.what_without_backtrace());
    const bool out_of_memory =
        message.find("allocate memory") != std::string::npos || message.find("out of memory") != std::string::npos;
    return out_of_memory ? absl::ResourceExhaustedError(message) : absl::InternalError(message);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory");
  } catch (const std::exception& error) {
    return absl::InternalError(FirstLine(error.what()));
  }
}

absl::Status Check(const TrainSpec& spec, const EncodedDataset& dataset) {
  if (auto status = CheckSettings(spec.training); !status.ok()) return status;
  return CheckData(dataset);
}

// What a fresh model's parameters, their names and shapes, depend on.
struct ModelShape {
  Model model;
  TrainingSettings training;
  std::int64_t vocabulary_size;
  std::int64_t class_count;
  bool has_second_sequence;
  bool operator==(const ModelShape&) const = default;
};

ModelShape ShapeOf(const TrainSpec& spec, const EncodedDataset& dataset) {
  return {spec.model, spec.training, dataset.vocabulary_size, dataset.class_count, HasSecondSequence(dataset)};
}

}  // namespace

struct Session::KeptModel {
  std::string checkpoint_sha256;
  ModelShape shape;
  std::shared_ptr<Classifier> model;
};

Session::Session() = default;
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

absl::StatusOr<TrainOutcome> Session::Train(const TrainSpec& spec, const EncodedDataset& dataset,
                                            const std::filesystem::path& checkpoint_path,
                                            const ProgressCallback& progress) {
  kept_.reset();
  return WithoutExceptions([&]() -> absl::StatusOr<TrainOutcome> {
    if (const auto status = Check(spec, dataset); !status.ok()) return status;
    auto model = MakeClassifier(spec, dataset);
    if (!model.ok()) return model.status();
    auto trained = TrainModel(spec, dataset, *model, progress);
    if (!trained.ok()) return trained.status();
    auto sha256 = SaveCheckpoint(*trained->model, checkpoint_path);
    if (!sha256.ok()) return sha256.status();
    trained->outcome.checkpoint_sha256 = *sha256;
    kept_.reset(new KeptModel{*std::move(sha256), ShapeOf(spec, dataset), std::move(trained->model)});
    return std::move(trained->outcome);
  });
}

absl::StatusOr<Scores> Session::Explain(const TrainSpec& spec, const EncodedDataset& dataset,
                                        const ExplainRequest& request, const CheckpointFile& checkpoint,
                                        const ProgressCallback& progress) {
  std::unique_ptr<KeptModel> warm = std::move(kept_);
  return WithoutExceptions([&]() -> absl::StatusOr<Scores> {
    if (const auto status = Check(spec, dataset); !status.ok()) return status;
    const ModelShape shape = ShapeOf(spec, dataset);
    if (warm == nullptr || warm->checkpoint_sha256 != checkpoint.sha256 || warm->shape != shape) {
      warm.reset();
      auto model = MakeClassifier(spec, dataset);
      if (!model.ok()) return model.status();
      if (const auto status = LoadCheckpoint(checkpoint, **model); !status.ok()) return status;
      warm.reset(new KeptModel{checkpoint.sha256, shape, *std::move(model)});
    }
    if (progress != nullptr && !progress(Activity::kLoading, 0)) return absl::CancelledError("cancelled");
    auto scores = ExplainWith(*warm->model, dataset, request, progress);
    if (scores.ok()) kept_ = std::move(warm);
    return scores;
  });
}

void SetUpThreads(int threads) {
  at::set_num_threads(threads);
  openblas_set_num_threads(threads);
  // What decays towards zero would otherwise slow down on its way.
  at::globalContext().setFlushDenormal(true);
  at::set_num_interop_threads(1);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
}

std::string DeviceKind() {
  const int threads = openblas_get_num_threads();
  return absl::StrCat("cpu-", BestKernels().name, "-", absl::AsciiStrToLower(openblas_get_corename()),
                      threads == 1 ? "" : absl::StrCat("-", threads, "-threads"));
}

std::string SoftwareVersions() { return absl::StrCat("LibTorch ", TORCH_VERSION, ", ", openblas_get_config()); }

}  // namespace roar::ml
