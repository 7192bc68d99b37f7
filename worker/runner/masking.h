#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "core/experiment/job_spec.h"
#include "core/masks/ranking.h"
#include "worker/ml/run_job.h"

// Masks of whole data sets, from the rules for one example in core/masks/ranking.h. Token ids come unmasked.

namespace roar::runner {

// Any mask as one thing: the order in which tokens are masked, and how far it has gone.
struct MaskingOrder {
  // Without any split when nothing is masked.
  masks::Ranking ranking;
  MaskUnit unit = MaskUnit::kRatioPercent;
  std::int64_t amount = 0;
};

// `ranking` is the one that a RankedMask names, else ignored. Where all is masked, the order is that of the text.
// InvalidArgument when a ranking is needed and missing; DataLoss, naming split and example, when it does not fit the
// data.
absl::StatusOr<MaskingOrder> OrderOf(const Mask& mask, const ml::EncodedDataset& unmasked,
                                     std::optional<masks::Ranking> ranking);

ml::EncodedDataset ApplyMask(const ml::EncodedDataset& unmasked, const MaskingOrder& order);

// The ranking by the scores of the model trained under `previous`; what that masked keeps its rank. An example without
// scores, which is another shard's, gets no ranks. InvalidArgument, naming split and example, when other scores are
// missing or one is NaN.
absl::StatusOr<masks::Ranking> RankScores(const ml::EncodedDataset& unmasked, const ml::Scores& scores,
                                          const MaskingOrder& previous);

// One ranking of those by the shards of an explanation, in any order. DataLoss, naming split and example, when one is
// ranked by none or by several.
absl::StatusOr<masks::Ranking> MergeShards(std::vector<masks::Ranking> shards);

// Examples with nothing to mask, by split.
std::map<Split, std::int64_t> CountWithoutMaskableToken(const ml::EncodedDataset& unmasked);

}  // namespace roar::runner
