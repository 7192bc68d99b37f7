#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "datasets/dataset.h"

// The canonical form, in which data sets are stored and travel: a magic line with the format's version, then
// length-prefixed protobuf records (one header, then the examples of train, validation, test in order), all in one
// zstd frame. The same Dataset always gives the same *uncompressed* bytes; a data set's identity, `content_sha256`, is
// their hash, so it does not depend on the compressor.

namespace roar::datasets {

struct CanonicalDataset {
  // The zstd frame, as stored and sent.
  std::string bytes;
  // SHA-256 of the uncompressed bytes, the magic line included, in 64 hexadecimal digits.
  std::string content_sha256;
  // Of the uncompressed bytes.
  std::size_t content_bytes = 0;
};

CanonicalDataset Encode(const Dataset& dataset);

// InvalidArgument when it is longer than Decode() takes.
absl::Status CheckSize(const CanonicalDataset& dataset);

// DataLoss, with the record's number and the cause, when the bytes are cut, damaged, of an unknown version, or hold a
// label outside its range; nothing is guessed.
absl::StatusOr<Dataset> Decode(std::string_view bytes);

}  // namespace roar::datasets
