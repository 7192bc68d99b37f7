#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/masks/ranking.h"

// A ranking as it is stored and travels: a magic line with the format's version, then length-prefixed protobuf records
// (a header, then the examples of train, validation, test in order), all in one zstd frame. The same Ranking always
// gives the same *uncompressed* bytes; a ranking's identity, `content_sha256`, is their hash, so it does not depend on
// the compressor.

namespace roar::datasets {

struct EncodedRanking {
  // The zstd frame, as stored and sent.
  std::string bytes;
  // SHA-256 of the uncompressed bytes, the magic line included, in 64 hexadecimal digits.
  std::string content_sha256;
};

EncodedRanking EncodeRanking(const masks::Ranking& ranking);

// DataLoss, with the record's number and the cause, when the bytes are cut, damaged, of an unknown version, followed
// by others, or when the ranks of an example are not zeros and a permutation of 1..n. Whether they fit a data set's
// tokens is for masks::CheckRanks to say.
absl::StatusOr<masks::Ranking> DecodeRanking(std::string_view bytes);

}  // namespace roar::datasets
