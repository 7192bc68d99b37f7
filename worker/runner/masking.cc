#include "worker/runner/masking.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace roar::runner {
namespace {

std::int64_t MaskableTokenCount(const std::vector<std::int32_t>& tokens) {
  return std::count_if(tokens.begin(), tokens.end(), masks::IsMaskable);
}

absl::Status InExample(const absl::Status& status, Split split, std::size_t index) {
  return absl::Status(status.code(),
                      absl::StrCat(std::string(Name(split)), " example ", index, ": ", std::string(status.message())));
}

// A ranking made example by example: rank(example, split, index).
template <typename Rank>
masks::Ranking RankAll(const ml::EncodedDataset& dataset, const Rank& rank) {
  masks::Ranking ranking;
  for (const auto& [split, examples] : dataset.splits) {
    std::vector<masks::Ranks>& ranks = ranking[split];
    ranks.reserve(examples.size());
    for (std::size_t i = 0; i < examples.size(); ++i) ranks.push_back(rank(examples[i], split, i));
  }
  return ranking;
}

masks::Ranks TextOrder(const std::vector<std::int32_t>& tokens) {
  masks::Ranks ranks;
  std::int32_t next = 1;
  for (std::int32_t token : tokens) ranks.push_back(masks::IsMaskable(token) ? next++ : 0);
  return ranks;
}

absl::Status CheckFits(const masks::Ranking& ranking, const ml::EncodedDataset& dataset) {
  if (ranking.size() != dataset.splits.size()) {
    return absl::DataLossError(
        absl::StrCat("the ranking has ", ranking.size(), " splits, the data set ", dataset.splits.size()));
  }
  for (const auto& [split, examples] : dataset.splits) {
    const auto found = ranking.find(split);
    const std::size_t ranked = found == ranking.end() ? 0 : found->second.size();
    if (ranked != examples.size()) {
      return absl::DataLossError(absl::StrCat("the ranking has ", ranked, " examples of ", std::string(Name(split)),
                                              ", the data set ", examples.size()));
    }
    for (std::size_t i = 0; i < ranked; ++i) {
      const absl::Status fits = masks::CheckRanks(found->second[i], examples[i].tokens);
      if (!fits.ok()) return InExample(fits, split, i);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MaskingOrder> OrderOf(const Mask& mask, const ml::EncodedDataset& unmasked,
                                     std::optional<masks::Ranking> ranking) {
  if (std::holds_alternative<NoMask>(mask)) return MaskingOrder{};
  if (std::holds_alternative<AllMasked>(mask)) {
    const auto rank = [](const ml::EncodedExample& example, Split, std::size_t) { return TextOrder(example.tokens); };
    return MaskingOrder{.ranking = RankAll(unmasked, rank), .amount = 100};
  }
  if (const auto* random = std::get_if<RandomMask>(&mask)) {
    const auto rank = [&](const ml::EncodedExample& example, Split split, std::size_t index) {
      return masks::RandomRanks(example.tokens, random->seed, split, static_cast<std::int64_t>(index));
    };
    return MaskingOrder{.ranking = RankAll(unmasked, rank), .unit = random->unit, .amount = random->amount};
  }
  const auto& ranked = std::get<RankedMask>(mask);
  if (!ranking.has_value()) return absl::InvalidArgumentError("a ranked mask came without its ranking");
  if (absl::Status fits = CheckFits(*ranking, unmasked); !fits.ok()) return fits;
  return MaskingOrder{.ranking = *std::move(ranking), .unit = ranked.unit, .amount = ranked.amount};
}

ml::EncodedDataset ApplyMask(const ml::EncodedDataset& unmasked, const MaskingOrder& order) {
  ml::EncodedDataset masked = unmasked;
  for (const auto& [split, ranks] : order.ranking) {
    std::vector<ml::EncodedExample>& examples = masked.splits.at(split);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      masks::ApplyRanks(ranks[i], order.unit, order.amount, examples[i].tokens);
    }
  }
  return masked;
}

absl::StatusOr<masks::Ranking> RankScores(const ml::EncodedDataset& unmasked, const ml::Scores& scores,
                                          const MaskingOrder& previous) {
  masks::Ranking ranking;
  for (const auto& [split, examples] : unmasked.splits) {
    const auto split_scores = scores.find(split);
    if (split_scores == scores.end() || split_scores->second.size() != examples.size()) {
      return absl::InvalidArgumentError(absl::StrCat("scores are missing for split ", std::string(Name(split))));
    }
    const auto earlier = previous.ranking.find(split);
    std::vector<masks::Ranks>& split_ranks = ranking[split];
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (split_scores->second[i].empty()) {
        split_ranks.emplace_back();
        continue;
      }
      const std::vector<std::int32_t>& tokens = examples[i].tokens;
      const std::int64_t masked_count =
          masks::MaskedTokenCount(previous.unit, previous.amount, MaskableTokenCount(tokens));
      absl::StatusOr<masks::Ranks> ranks =
          masks::RankTokens(tokens, split_scores->second[i],
                            earlier == previous.ranking.end() ? masks::Ranks{} : earlier->second[i], masked_count);
      if (!ranks.ok()) return InExample(ranks.status(), split, i);
      split_ranks.push_back(*std::move(ranks));
    }
  }
  return ranking;
}

absl::StatusOr<masks::Ranking> MergeShards(std::vector<masks::Ranking> shards) {
  masks::Ranking merged;
  for (masks::Ranking& shard : shards) {
    for (auto& [split, examples] : shard) {
      std::vector<masks::Ranks>& taken = merged[split];
      if (taken.empty()) taken.resize(examples.size());
      if (taken.size() != examples.size()) return absl::DataLossError("the shards are of different data");
      for (std::size_t i = 0; i < examples.size(); ++i) {
        if (examples[i].empty()) continue;
        if (!taken[i].empty()) return InExample(absl::DataLossError("two shards rank it"), split, i);
        taken[i] = std::move(examples[i]);
      }
    }
  }
  for (const auto& [split, examples] : merged) {
    const auto unranked = std::ranges::find_if(examples, &masks::Ranks::empty);
    if (unranked == examples.end()) continue;
    return InExample(absl::DataLossError("no shard ranks it"), split,
                     static_cast<std::size_t>(unranked - examples.begin()));
  }
  return merged;
}

std::map<Split, std::int64_t> CountWithoutMaskableToken(const ml::EncodedDataset& unmasked) {
  std::map<Split, std::int64_t> counts;
  for (const auto& [split, examples] : unmasked.splits) {
    counts[split] = std::count_if(examples.begin(), examples.end(), [](const ml::EncodedExample& example) {
      return MaskableTokenCount(example.tokens) == 0;
    });
  }
  return counts;
}

}  // namespace roar::runner
