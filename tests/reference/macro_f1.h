#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roar::reference {

// Macro F1 by the definition in words: for each class that occurs, the harmonic mean of precision and recall, each
// counted in its own pass over the examples and 0 where it has no denominator.
inline double MacroF1(const std::vector<std::int64_t>& predictions, const std::vector<std::int64_t>& labels,
                      std::int64_t class_count) {
  double sum = 0;
  double occurring_classes = 0;
  for (std::int64_t c = 0; c < class_count; ++c) {
    double predicted = 0;
    double labelled = 0;
    double both = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      predicted += predictions[i] == c;
      labelled += labels[i] == c;
      both += predictions[i] == c && labels[i] == c;
    }
    if (predicted == 0 && labelled == 0) continue;
    occurring_classes += 1;
    const double precision = predicted == 0 ? 0 : both / predicted;
    const double recall = labelled == 0 ? 0 : both / labelled;
    if (precision + recall > 0) sum += 2 * precision * recall / (precision + recall);
  }
  return sum / occurring_classes;
}

}  // namespace roar::reference
