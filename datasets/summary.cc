#include "datasets/summary.h"

#include <algorithm>

namespace roar::datasets {
namespace {

SplitSummary SummarizeSplit(const std::vector<Example>& examples, const std::vector<std::string>& labels) {
  SplitSummary summary = {.examples = static_cast<std::int64_t>(examples.size())};
  std::int64_t total_tokens = 0;
  for (const Example& example : examples) {
    const auto tokens = static_cast<std::int64_t>(example.tokens.size());
    ++summary.labels[labels[static_cast<std::size_t>(example.label)]];
    total_tokens += tokens;
    summary.longest_tokens = std::max(summary.longest_tokens, tokens);
  }
  if (summary.examples > 0) {
    summary.mean_tokens = static_cast<double>(total_tokens) / static_cast<double>(summary.examples);
  }
  return summary;
}

}  // namespace

std::map<Split, SplitSummary> Summarize(const Dataset& dataset) {
  std::map<Split, SplitSummary> summaries;
  for (const auto& [split, examples] : dataset.splits) summaries[split] = SummarizeSplit(examples, dataset.labels);
  return summaries;
}

}  // namespace roar::datasets
