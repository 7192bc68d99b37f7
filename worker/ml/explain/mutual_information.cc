#include <cmath>
#include <cstdint>
#include <vector>

#include "core/masks/ranking.h"
#include "worker/ml/explain/measures.h"

namespace roar::ml {
namespace {

// Documents by label, and by label and word: how many hold the word, however often. One document more per label holds
// every word.
class DocumentCounts {
 public:
  explicit DocumentCounts(const EncodedDataset& dataset)
      : with_label_(dataset.class_count, 1), with_both_(dataset.class_count * dataset.vocabulary_size, 1) {
    std::vector<std::size_t> last_document(dataset.vocabulary_size, 0);
    std::size_t document = 0;
    for (const EncodedExample& example : dataset.splits.at(Split::kTrain)) {
      ++document;
      ++with_label_[example.label];
      for (const std::int32_t word : example.tokens) {
        if (last_document[word] == document) continue;
        last_document[word] = document;
        ++with_both_[word * labels() + example.label];
      }
    }
    all_ = static_cast<std::int64_t>(document) + labels();
  }

  std::int64_t labels() const { return std::ssize(with_label_); }
  double all() const { return static_cast<double>(all_); }
  double WithLabel(std::int64_t label) const { return static_cast<double>(with_label_[label]); }
  double WithBoth(std::int64_t word, std::int64_t label) const {
    return static_cast<double>(with_both_[word * labels() + label]);
  }
  double WithWord(std::int64_t word) const {
    double sum = 0;
    for (std::int64_t label = 0; label < labels(); ++label) sum += WithBoth(word, label);
    return sum;
  }

 private:
  std::vector<std::int64_t> with_label_;
  // [vocabulary, labels]
  std::vector<std::int64_t> with_both_;
  std::int64_t all_ = 0;
};

// A cell's share of the mutual information of two binary variables, in bits; 0 log 0 = 0.
double Term(double both, double first, double second, double all) {
  return both == 0 ? 0 : both / all * std::log2(both * all / (first * second));
}

// Of the presence of the word and of the label.
double MutualInformation(const DocumentCounts& counts, std::int64_t word, std::int64_t label) {
  const double all = counts.all();
  const double with_word = counts.WithWord(word);
  const double with_label = counts.WithLabel(label);
  const double both = counts.WithBoth(word, label);
  return Term(both, with_word, with_label, all) + Term(with_word - both, with_word, all - with_label, all) +
         Term(with_label - both, all - with_word, with_label, all) +
         Term(all - with_word - with_label + both, all - with_word, all - with_label, all);
}

std::vector<float> ScoreByWord(const EncodedDataset& dataset) {
  const DocumentCounts counts(dataset);
  std::vector<float> scores(dataset.vocabulary_size, 0);
  for (std::int64_t word = 0; word < dataset.vocabulary_size; ++word) {
    if (!masks::IsMaskable(static_cast<std::int32_t>(word))) continue;
    double score = 0;
    for (std::int64_t label = 0; label < counts.labels(); ++label) {
      score += counts.WithLabel(label) / counts.all() * MutualInformation(counts, word, label);
    }
    scores[word] = static_cast<float>(score);
  }
  return scores;
}

}  // namespace

Scores MutualInformationMeasure(const EncodedDataset& dataset) {
  const std::vector<float> score_by_word = ScoreByWord(dataset);
  Scores scores;
  for (const auto& [split, examples] : dataset.splits) {
    std::vector<std::vector<float>>& split_scores = scores[split];
    for (const EncodedExample& example : examples) {
      std::vector<float>& of_example = split_scores.emplace_back();
      for (const std::int32_t word : example.tokens) of_example.push_back(score_by_word[word]);
    }
  }
  return scores;
}

}  // namespace roar::ml
