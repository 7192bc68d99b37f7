#include "core/masks/ranking.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"

namespace roar::masks {
namespace {

bool WasMasked(std::int32_t rank, std::int64_t masked_count) { return rank >= 1 && rank <= masked_count; }

// Gives the positions the ranks first_rank, first_rank + 1, ... by descending score. `positions` ascend and the sort is
// stable, hence the tie rule.
template <typename Score>
void AssignRanks(std::vector<std::size_t> positions, std::span<const Score> scores, std::int32_t first_rank,
                 Ranks& ranks) {
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (std::size_t position : positions) ranks[position] = first_rank++;
}

absl::Status CheckScores(std::span<const std::int32_t> tokens, std::span<const float> scores) {
  if (scores.size() != tokens.size()) {
    return absl::InvalidArgumentError(absl::StrCat(scores.size(), " importance scores for ", tokens.size(), " tokens"));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (IsMaskable(tokens[i]) && std::isnan(scores[i])) {
      return absl::InvalidArgumentError(absl::StrCat("the importance score at position ", i, " is NaN"));
    }
  }
  return absl::OkStatus();
}

// No previous ranks are needed where nothing was masked.
absl::Status CheckPreviousRanks(std::span<const std::int32_t> previous_ranks, std::span<const std::int32_t> tokens,
                                std::int64_t already_masked_count) {
  if (!previous_ranks.empty()) return CheckRanks(previous_ranks, tokens);
  if (already_masked_count <= 0 || tokens.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(already_masked_count, " tokens are masked already but the ranks they were masked by are missing"));
}

}  // namespace

std::int64_t MaskedTokenCount(MaskUnit unit, std::int64_t amount, std::int64_t maskable_token_count) {
  if (unit == MaskUnit::kCount) return std::min(amount, maskable_token_count);
  return amount * maskable_token_count / 100;
}

absl::StatusOr<Ranks> RankTokens(std::span<const std::int32_t> tokens, std::span<const float> scores,
                                 std::span<const std::int32_t> previous_ranks, std::int64_t already_masked_count) {
  if (absl::Status status = CheckScores(tokens, scores); !status.ok()) return status;
  if (absl::Status status = CheckPreviousRanks(previous_ranks, tokens, already_masked_count); !status.ok()) {
    return status;
  }
  Ranks ranks(tokens.size(), 0);
  std::int32_t kept_count = 0;
  std::vector<std::size_t> unmasked;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!IsMaskable(tokens[i])) continue;
    if (!previous_ranks.empty() && WasMasked(previous_ranks[i], already_masked_count)) {
      ranks[i] = previous_ranks[i];
      ++kept_count;
    } else {
      unmasked.push_back(i);
    }
  }
  AssignRanks(std::move(unmasked), scores, kept_count + 1, ranks);
  return ranks;
}

Ranks RandomRanks(std::span<const std::int32_t> tokens, std::int64_t seed, Split split, std::int64_t example_index) {
  RandomStream stream(seed, "random_ranks/" + std::string(Name(split)), example_index);
  std::vector<double> noise(tokens.size(), 0.0);
  std::vector<std::size_t> maskable;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!IsMaskable(tokens[i])) continue;
    noise[i] = stream.Uniform();
    maskable.push_back(i);
  }
  Ranks ranks(tokens.size(), 0);
  AssignRanks<double>(std::move(maskable), noise, 1, ranks);
  return ranks;
}

void ApplyRanks(std::span<const std::int32_t> ranks, MaskUnit unit, std::int64_t amount,
                std::span<std::int32_t> tokens) {
  const auto maskable_token_count = std::count_if(ranks.begin(), ranks.end(), [](auto rank) { return rank > 0; });
  const std::int64_t masked_count = MaskedTokenCount(unit, amount, maskable_token_count);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (WasMasked(ranks[i], masked_count)) tokens[i] = kMaskTokenId;
  }
}

void MaskAll(std::span<std::int32_t> tokens) {
  std::replace_if(tokens.begin(), tokens.end(), IsMaskable, kMaskTokenId);
}

absl::Status CheckRanks(std::span<const std::int32_t> ranks, std::span<const std::int32_t> tokens) {
  if (ranks.size() != tokens.size()) {
    return absl::DataLossError(absl::StrCat(ranks.size(), " ranks for ", tokens.size(), " tokens"));
  }
  const std::int64_t maskable_token_count = std::count_if(tokens.begin(), tokens.end(), IsMaskable);
  std::vector<bool> seen(static_cast<std::size_t>(maskable_token_count) + 1, false);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::int32_t rank = ranks[i];
    const auto where = [&] { return absl::StrCat("rank ", rank, " at position ", i); };
    if (!IsMaskable(tokens[i])) {
      if (rank != 0) return absl::DataLossError(where() + ", which holds a special token");
      continue;
    }
    if (rank < 1 || rank > maskable_token_count) {
      return absl::DataLossError(absl::StrCat(where(), " is not in 1..", maskable_token_count));
    }
    if (seen[static_cast<std::size_t>(rank)]) return absl::DataLossError(where() + " is there twice");
    seen[static_cast<std::size_t>(rank)] = true;
  }
  return absl::OkStatus();
}

}  // namespace roar::masks
