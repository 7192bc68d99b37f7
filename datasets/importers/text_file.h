#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "datasets/importers/import_report.h"

namespace roar::datasets {

// The text of a file, plain or gzip (told apart by content). zlib and not libarchive: the latter does not compare
// gzip's checksum. NotFound or Unavailable when it cannot be read, with the system's reason; InvalidArgument when gzip
// is cut or damaged: the file is the user's.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

// `text` without a UTF-8 byte order mark at its begin.
std::string_view WithoutByteOrderMark(std::string_view text);

// The lines of a text, without their ends (LF or CRLF) and without a byte order mark. They point into `text`. What is
// no UTF-8 text becomes a problem of the report, under `file`'s name: each line with a NUL byte or a broken sequence,
// which is empty in the result; or UTF-16, then there are no lines.
std::vector<std::string_view> SplitLines(std::string_view text, const std::string& file, ImportReport& report);

}  // namespace roar::datasets
