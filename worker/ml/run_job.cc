#include "worker/ml/run_job.h"

#include <cblas.h>
#include <dlfcn.h>
#include <torch/torch.h>

#include <algorithm>
#include <cctype>
#include <new>
#include <string>

#include "absl/strings/str_cat.h"
#include "worker/ml/explain/explainer.h"
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

absl::StatusOr<std::shared_ptr<Classifier>> CheckAndMake(const TrainSpec& spec, const EncodedDataset& dataset) {
  if (const auto status = CheckSettings(spec.training); !status.ok()) return status;
  if (const auto status = CheckData(dataset); !status.ok()) return status;
  return MakeClassifier(spec, dataset);
}

// What follows `label` on its line of LibTorch's description of itself.
std::string FromConfiguration(const std::string& label) {
  const std::string text = at::show_config();
  const std::size_t found = text.find(label);
  return found == std::string::npos ? "unknown" : FirstLine(text.substr(found + label.size()));
}

// OpenBLAS tells its version and the kernels it chose; another BLAS does not have the function.
std::string BlasVersion() {
  using GetConfig = const char* (*)();
  const auto get_config = reinterpret_cast<GetConfig>(::dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return get_config == nullptr ? "BLAS other than OpenBLAS" : get_config();
}

}  // namespace

absl::StatusOr<TrainOutcome> Train(const TrainSpec& spec, const EncodedDataset& dataset,
                                   const std::filesystem::path& checkpoint_path, const ProgressCallback& progress) {
  return WithoutExceptions([&]() -> absl::StatusOr<TrainOutcome> {
    auto model = CheckAndMake(spec, dataset);
    if (!model.ok()) return model.status();
    const auto trained = TrainModel(spec, dataset, *model, progress);
    if (!trained.ok()) return trained.status();
    if (const auto status = SaveCheckpoint(*trained->model, checkpoint_path); !status.ok()) return status;
    return trained->outcome;
  });
}

absl::StatusOr<Scores> Explain(const TrainSpec& spec, const EncodedDataset& dataset, const ExplainSettings& settings,
                               const std::filesystem::path& checkpoint_path, const ProgressCallback& progress) {
  return WithoutExceptions([&]() -> absl::StatusOr<Scores> {
    auto model = CheckAndMake(spec, dataset);
    if (!model.ok()) return model.status();
    if (const auto status = LoadCheckpoint(checkpoint_path, **model); !status.ok()) return status;
    return ExplainWith(**model, dataset, settings, progress);
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
  std::string capability = FromConfiguration("CPU capability usage: ");
  std::transform(capability.begin(), capability.end(), capability.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return "cpu-" + capability;
}

std::string SoftwareVersions() { return absl::StrCat("LibTorch ", TORCH_VERSION, ", ", BlasVersion()); }

}  // namespace roar::ml
