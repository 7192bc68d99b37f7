#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roar::reference {

// The rules of masking as the paper states them, one token at a time: a token masked already scores +infinity, the
// best score that is left is taken next, the first of equals. Special tokens (ids below 3) are never taken.
inline std::vector<std::int32_t> RankTokens(const std::vector<std::int32_t>& tokens, const std::vector<float>& scores,
                                            const std::vector<std::int32_t>& previous_ranks,
                                            std::int64_t already_masked_count) {
  std::vector<std::int32_t> ranks(tokens.size(), 0);
  std::int32_t next_rank = 1;
  for (; next_rank <= already_masked_count; ++next_rank) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (previous_ranks[i] == next_rank) ranks[i] = next_rank;
    }
  }
  for (;; ++next_rank) {
    std::size_t best = tokens.size();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool candidate = tokens[i] >= 3 && ranks[i] == 0;
      if (candidate && (best == tokens.size() || scores[i] > scores[best])) best = i;
    }
    if (best == tokens.size()) return ranks;
    ranks[best] = next_rank;
  }
}

}  // namespace roar::reference
