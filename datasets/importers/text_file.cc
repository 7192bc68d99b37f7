#include "datasets/importers/text_file.h"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

namespace roar::datasets {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

struct CloseGzip {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

// Bytes of the well-formed UTF-8 sequence that `text` begins with; 0 when there is none (Unicode 15, table 3-7).
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool surrogate_or_beyond = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong || surrogate_or_beyond ? 0 : length;
}

// Where the line stops being text, or its size.
std::size_t FirstBadByte(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t length = line[at] == '\0' ? 0 : SequenceLength(line.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

// What makes the line no text, or nothing.
std::string Fault(std::string_view line) {
  const std::size_t bad = FirstBadByte(line);
  if (bad == line.size()) return "";
  return absl::StrCat("byte ", bad + 1, ": ",
                      line[bad] == '\0' ? "a NUL byte; if the file is UTF-16, convert it to UTF-8"
                                        : "not UTF-8; convert the file to UTF-8");
}

// zlib puts the file's name before the cause.
std::string Cause(const std::string& reason, const std::string& path) {
  const std::string name = path + ": ";
  return reason.starts_with(name) ? reason.substr(name.size()) : reason;
}

}  // namespace

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  errno = 0;
  const std::unique_ptr<gzFile_s, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (file == nullptr) {
    const std::string message = absl::StrCat(path, ": cannot be opened: ", std::strerror(errno));
    return errno == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
  }
  std::string text;
  std::array<char, 1 << 16> chunk;
  int size = 0;
  while ((size = gzread(file.get(), chunk.data(), chunk.size())) > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(size));
  }
  int error = Z_OK;
  const std::string reason = gzerror(file.get(), &error);
  if (error == Z_ERRNO) return absl::UnavailableError(absl::StrCat(path, ": cannot be read: ", std::strerror(errno)));
  if (error == Z_MEM_ERROR) return absl::ResourceExhaustedError(absl::StrCat(path, ": out of memory"));
  if (error != Z_OK) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": gzip is cut or damaged: ", Cause(reason, path)));
  }
  return text;
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

std::vector<std::string_view> SplitLines(std::string_view text, const std::string& file, ImportReport& report) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    report.Add({.file = file, .line = 1, .cause = "looks like UTF-16, convert to UTF-8"});
    return {};
  }
  text = WithoutByteOrderMark(text);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string fault = Fault(line);
    lines.push_back(fault.empty() ? line : std::string_view());
    if (!fault.empty()) {
      report.Add({.file = file, .line = static_cast<std::int64_t>(lines.size()), .cause = std::move(fault)});
    }
  }
  return lines;
}

}  // namespace roar::datasets
