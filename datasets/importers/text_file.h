#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace roar::datasets {

// The text of a file, plain or gzip (told apart by content). zlib and not libarchive: the latter does not compare
// gzip's checksum. NotFound or Unavailable when it cannot be read, with the system's reason; DataLoss when gzip is cut
// or damaged.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// The lines of a text, without their ends (LF or CRLF) and without a UTF-8 byte order mark. They point into `text`.
// InvalidArgument, naming `file` and where, for what is not UTF-8 text: UTF-16, NUL bytes, broken sequences.
absl::StatusOr<std::vector<std::string_view>> SplitLines(std::string_view text, const std::string& file);

}  // namespace roar::datasets
