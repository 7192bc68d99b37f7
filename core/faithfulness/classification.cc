#include "core/faithfulness/classification.h"

#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"

namespace roar::faithfulness {
namespace {

struct Counts {
  std::int64_t true_positives = 0;
  std::int64_t false_positives = 0;
  std::int64_t false_negatives = 0;
};

// Whether the class occurs in labels or predictions.
bool Occurs(const Counts& counts) {
  return counts.true_positives + counts.false_positives + counts.false_negatives > 0;
}

double F1(const Counts& counts) {
  return 2.0 * static_cast<double>(counts.true_positives) /
         static_cast<double>(2 * counts.true_positives + counts.false_positives + counts.false_negatives);
}

Counts Total(std::span<const Counts> counts) {
  Counts total;
  for (const Counts& of_class : counts) {
    total.true_positives += of_class.true_positives;
    total.false_positives += of_class.false_positives;
    total.false_negatives += of_class.false_negatives;
  }
  return total;
}

double MacroF1(std::span<const Counts> counts) {
  double sum = 0;
  int classes = 0;
  for (const Counts& of_class : counts) {
    if (!Occurs(of_class)) continue;
    sum += F1(of_class);
    ++classes;
  }
  return sum / classes;
}

absl::Status CheckClasses(std::span<const std::int64_t> classes, std::int64_t class_count, const char* role) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] < 0 || classes[i] >= class_count) {
      return absl::InvalidArgumentError(
          absl::StrCat(role, " ", i, " is class ", classes[i], ", not one of the ", class_count, " classes from 0 on"));
    }
  }
  return absl::OkStatus();
}

absl::Status Check(std::span<const std::int64_t> predictions, std::span<const std::int64_t> labels,
                   std::int64_t class_count) {
  if (predictions.size() != labels.size()) {
    return absl::InvalidArgumentError(absl::StrCat(predictions.size(), " predictions for ", labels.size(), " labels"));
  }
  if (labels.empty()) return absl::InvalidArgumentError("no example to score");
  if (absl::Status status = CheckClasses(predictions, class_count, "prediction"); !status.ok()) return status;
  return CheckClasses(labels, class_count, "label");
}

}  // namespace

absl::StatusOr<ClassificationMetrics> Classify(std::span<const std::int64_t> predictions,
                                               std::span<const std::int64_t> labels, std::int64_t class_count) {
  if (absl::Status status = Check(predictions, labels, class_count); !status.ok()) return status;
  std::vector<Counts> counts(static_cast<std::size_t>(class_count));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Counts& of_prediction = counts[static_cast<std::size_t>(predictions[i])];
    if (predictions[i] == labels[i]) {
      ++of_prediction.true_positives;
    } else {
      ++of_prediction.false_positives;
      ++counts[static_cast<std::size_t>(labels[i])].false_negatives;
    }
  }
  const Counts total = Total(counts);
  ClassificationMetrics metrics;
  metrics.accuracy = static_cast<double>(total.true_positives) / static_cast<double>(labels.size());
  metrics.macro_f1 = MacroF1(counts);
  metrics.micro_f1 = F1(total);
  return metrics;
}

}  // namespace roar::faithfulness
