#pragma once

#include <cstdint>
#include <optional>
#include <vector>

// AUROC, obviously: every pair of a positive and a negative example is looked at.

namespace roar::reference {

inline std::optional<double> Auroc(const std::vector<double>& scores, const std::vector<bool>& positive) {
  double won = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (!positive[i] || positive[j]) continue;
      ++pairs;
      won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    }
  }
  if (pairs == 0) return std::nullopt;
  return won / pairs;
}

// Of two classes that of class 1; of more the mean over the classes that have one.
inline std::optional<double> Auroc(const std::vector<double>& probabilities, const std::vector<std::int64_t>& labels,
                                   std::int64_t class_count) {
  double sum = 0;
  int classes = 0;
  for (std::int64_t positive = class_count == 2 ? 1 : 0; positive < class_count; ++positive) {
    std::vector<double> scores;
    std::vector<bool> is_positive;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      scores.push_back(probabilities[i * class_count + positive]);
      is_positive.push_back(labels[i] == positive);
    }
    const std::optional<double> area = Auroc(scores, is_positive);
    if (!area) continue;
    sum += *area;
    ++classes;
  }
  if (classes == 0) return std::nullopt;
  return sum / classes;
}

}  // namespace roar::reference
