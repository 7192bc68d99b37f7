#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/masks/ranking.h"

// A ranking as it is stored and travels: a magic line with the format's version, then length-prefixed protobuf records
// (a header, then the examples of train, validation, test in order), in one zstd frame. A ranking's identity is the
// SHA-256 of these stored bytes. They depend on the ranking and the zstd library only, so one blob is copied, never
// encoded again, where the identity matters.

namespace roar::datasets {

std::string EncodeRanking(const masks::Ranking& ranking);

// DataLoss, with the record's number and the cause, when the bytes are cut, damaged, of an unknown version, followed
// by others, or when the ranks of an example are not zeros and a permutation of 1..n. Whether they fit a data set's
// tokens is for masks::CheckRanks to say.
absl::StatusOr<masks::Ranking> DecodeRanking(std::string_view bytes);

}  // namespace roar::datasets
