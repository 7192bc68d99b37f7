#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/experiment/names.h"
#include "core/experiment/random_stream.h"

// The mask ledger. Masks are nested, so one small integer per maskable token, its rank, encodes a whole chain:
// the token is masked at an amount exactly when its rank is at most the number of tokens masked at that amount.
// Rules: method-recursive-roar.md section 2.

namespace roar::masks {

// 1 for the token masked first, n for the last; 0 for a token that is never masked (special). Of the maskable tokens of
// one example, the ranks are a permutation of 1..n. Indexed by position in the first sequence.
using Ranks = std::vector<std::int32_t>;

// The ranks of every example of every split, in the order of the data set.
using Ranking = std::map<Split, std::vector<Ranks>>;

// The first maskable id: [PAD] 0, [CLS] 1 and [EOS] 2 are special; [MASK] 3, [UNK] 4 and words are maskable.
inline constexpr std::int32_t kMaskTokenId = 3;
inline constexpr bool IsMaskable(std::int32_t token_id) { return token_id >= kMaskTokenId; }

// How many of n maskable tokens are masked: floor(percent * n / 100) in integers, or min(count, n).
std::int64_t MaskedTokenCount(MaskUnit unit, std::int64_t amount, std::int64_t maskable_token_count);

// Ranks by descending score; ties go to the lower index, -0.0 equals 0.0. Tokens with previous_ranks[i] in
// 1..already_masked_count keep that rank; the others follow. `tokens` are the ids before any masking, so that n counts
// the tokens masked already; `previous_ranks` may be empty when nothing is masked. InvalidArgument: sizes differ, or a
// score of a maskable token is NaN. DataLoss: `previous_ranks` fail CheckRanks.
absl::StatusOr<Ranks> RankTokens(std::span<const std::int32_t> tokens, std::span<const float> scores,
                                 std::span<const std::int32_t> previous_ranks, std::int64_t already_masked_count);

// Ranks of the random baseline for one example: descending uniform noise, one number per maskable token, of the stream
// (seed, "random_ranks/" + name of the split, example index).
Ranks RandomRanks(std::span<const std::int32_t> tokens, std::int64_t seed, Split split, std::int64_t example_index);

// Replaces every token whose rank is in 1..MaskedTokenCount(unit, amount, n) by the mask token; n is the number of
// maskable tokens. `ranks` passed CheckRanks for `tokens`.
void ApplyRanks(std::span<const std::int32_t> ranks, MaskUnit unit, std::int64_t amount,
                std::span<std::int32_t> tokens);

// Replaces every maskable token.
void MaskAll(std::span<std::int32_t> tokens);

// OK when the ranks fit the tokens: equal length, 0 exactly at special tokens, a permutation of 1..n elsewhere.
// Otherwise DataLoss that names the position and what was wrong.
absl::Status CheckRanks(std::span<const std::int32_t> ranks, std::span<const std::int32_t> tokens);

}  // namespace roar::masks
