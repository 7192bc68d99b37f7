#include "worker/ml/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/experiment/random_stream.h"
#include "worker/ml/training/adam.h"
#include "worker/ml/training/evaluate.h"
#include "worker/ml/training/fused_trainer.h"
#include "worker/ml/training/progress.h"

namespace roar::ml {
namespace {

absl::Status CheckLoss(double loss, std::int64_t epoch, const std::string& where) {
  if (std::isfinite(loss)) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("the loss became ", loss, " in epoch ", epoch, ", ", where, "; a smaller learning_rate may help"));
}

// An AUROC needs examples of two classes to choose an epoch by.
absl::Status CheckMetric(const TrainSpec& spec, const std::vector<EncodedExample>& validation) {
  if (spec.training.checkpoint_metric != Metric::kAuroc) return absl::OkStatus();
  const auto is_of_another_class = [&](const EncodedExample& e) { return e.label != validation.front().label; };
  if (std::any_of(validation.begin(), validation.end(), is_of_another_class)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "all examples of the validation split are of one class, so it has no AUROC to choose an epoch by; set "
      "checkpoint_metric");
}

// In the whole call: every epoch trains and validates, the kept one is measured on the other splits.
double ExamplesToSee(const EncodedDataset& dataset, std::int64_t epochs) {
  const auto size = [&](Split split) { return static_cast<double>(dataset.splits.at(split).size()); };
  return static_cast<double>(epochs) * (size(Split::kTrain) + size(Split::kValidation)) + size(Split::kTrain) +
         size(Split::kTest);
}

absl::Status TrainEpoch(const TrainSpec& spec, std::int64_t epoch, const std::vector<EncodedExample>& examples,
                        FusedTrainer& trainer, Progress& progress) {
  const auto order = RandomStream(spec.seed, "shuffle", epoch).Permutation(std::ssize(examples));
  std::span<const std::int64_t> rest(order);
  for (std::int64_t step = 1; !rest.empty(); ++step) {
    const auto indices = rest.first(std::min(rest.size(), static_cast<std::size_t>(spec.training.batch_size)));
    rest = rest.subspan(indices.size());
    const double loss = trainer.Step(examples, indices);
    if (auto status = CheckLoss(loss, epoch, absl::StrCat("step ", step)); !status.ok()) return status;
    if (auto status = progress.Advance(Activity::kTraining, std::ssize(indices)); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

double PlainTrainStep(Classifier& model, Adam& optimizer, const Batch& batch) {
  optimizer.ClearGradients();
  const torch::Tensor logits = model.Classify(batch, model.Embed(batch)).logits;
  const torch::Tensor loss = torch::nn::functional::cross_entropy(logits, batch.labels);
  loss.backward();
  optimizer.Step();
  return loss.item<double>();
}

absl::StatusOr<TrainedModel> TrainModel(const TrainSpec& spec, const EncodedDataset& dataset,
                                        std::shared_ptr<Classifier> fresh_model, const ProgressCallback& callback) {
  if (auto status = CheckMetric(spec, dataset.splits.at(Split::kValidation)); !status.ok()) return status;
  TrainedModel trained{.outcome = {}, .model = std::move(fresh_model)};
  TrainOutcome& outcome = trained.outcome;
  FusedTrainer trainer(*trained.model, dataset,
                       {.learning_rate = spec.training.learning_rate, .weight_decay = spec.training.weight_decay});
  Progress progress(callback, ExamplesToSee(dataset, spec.training.epochs));
  const auto evaluate = [&](Split split) { return Evaluate(trainer.classifier(), dataset, split, progress); };

  torch::Tensor kept_weights;
  double best = -1;
  for (std::int64_t epoch = 1; epoch <= spec.training.epochs && best < 1.0; ++epoch) {
    auto status = TrainEpoch(spec, epoch, dataset.splits.at(Split::kTrain), trainer, progress);
    if (!status.ok()) return status;
    trainer.BringWeightsUpToDate();
    const auto validation = evaluate(Split::kValidation);
    if (!validation.ok()) return validation.status();
    if (status = CheckLoss(validation->loss, epoch, "validation"); !status.ok()) return status;
    outcome.epochs_run = epoch;
    if (const double metric = Value(*validation, spec.training.checkpoint_metric); metric > best) {
      best = metric;
      outcome.best_epoch = epoch;
      outcome.metrics[Split::kValidation] = *validation;
      kept_weights = trainer.weights().clone();
    }
  }
  trainer.weights().copy_(kept_weights);
  for (const Split split : {Split::kTrain, Split::kTest}) {
    const auto metrics = evaluate(split);
    if (!metrics.ok()) return metrics.status();
    if (auto status = CheckLoss(metrics->loss, outcome.best_epoch, std::string(Name(split))); !status.ok())
      return status;
    outcome.metrics[split] = *metrics;
  }
  return trained;
}

}  // namespace roar::ml
