#include "datasets/record_file.h"

#include <zstd.h>

#include <array>
#include <memory>

#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"
#include "proto/transport/length_prefix.h"

namespace roar::datasets {
namespace {

constexpr int kCompressionLevel = 6;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

absl::Status DamagedFrame(const std::string& cause) {
  return absl::DataLossError(absl::StrCat("stored bytes are not one whole zstd frame: ", cause, "; fetch them again"));
}

}  // namespace

void RecordWriter::Add(const google::protobuf::Message& record) {
  bytes_ += EncodeLength(record.ByteSizeLong());
  record.AppendToString(&bytes_);
}

absl::StatusOr<RecordReader> RecordReader::Open(std::string_view bytes, std::string_view magic) {
  if (bytes.substr(0, magic.size()) != magic) {
    const std::string line(magic.substr(0, magic.size() - 1));
    return absl::DataLossError(
        absl::StrCat("content does not begin with \"", line, "\": another kind of file, or an unknown version"));
  }
  return RecordReader(bytes.substr(magic.size()));
}

absl::Status RecordReader::Next(google::protobuf::Message& record) {
  ++record_count_;
  if (rest_.size() < kLengthBytes) return Damaged("cut before its length");
  const std::size_t length = DecodeLength(rest_);
  rest_.remove_prefix(kLengthBytes);
  if (length > rest_.size()) {
    return Damaged(absl::StrCat("cut: ", length, " bytes announced, ", rest_.size(), " left"));
  }
  const std::string_view bytes = rest_.substr(0, length);
  rest_.remove_prefix(length);
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return Damaged("not a protobuf message");
  record.DiscardUnknownFields();
  if (record.SerializeAsString() != bytes) return Damaged("not in canonical form; written by a newer version?");
  return absl::OkStatus();
}

absl::Status RecordReader::CheckEnd() const {
  if (rest_.empty()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(rest_.size(), " bytes after the last record, number ", record_count_));
}

absl::Status RecordReader::Damaged(const std::string& cause) const {
  return absl::DataLossError(absl::StrCat("record ", record_count_, ": ", cause));
}

std::string Compress(std::string_view content) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompressionLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  // Cannot fail: the buffer has the size that the library asks for.
  frame.resize(ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size()));
  return frame;
}

absl::StatusOr<std::string> Decompress(std::string_view frame, std::size_t content_bytes_most) {
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  ZSTD_inBuffer input = {frame.data(), frame.size(), 0};
  std::string content;
  std::array<char, 1 << 16> chunk;
  for (;;) {
    ZSTD_outBuffer output = {chunk.data(), chunk.size(), 0};
    const std::size_t more = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(more)) return DamagedFrame(ZSTD_getErrorName(more));
    if (output.pos > content_bytes_most - content.size()) {
      return absl::DataLossError(absl::StrCat("stored bytes hold more than ", content_bytes_most, " bytes"));
    }
    content.append(chunk.data(), output.pos);
    if (more == 0) break;
    if (input.pos == input.size && output.pos < output.size) return DamagedFrame("cut");
  }
  if (input.pos != input.size) return DamagedFrame(absl::StrCat(input.size - input.pos, " bytes after its end"));
  return content;
}

absl::StatusOr<std::string> ContentSha256(std::string_view frame) {
  const absl::StatusOr<std::string> content = Decompress(frame, kContentBytesMost);
  if (!content.ok()) return content.status();
  return Sha256Hex(*content);
}

absl::StatusOr<std::map<Split, std::int64_t>> ReadSplitSizes(const SplitSizes& sizes, const RecordReader& reader) {
  std::map<Split, std::int64_t> read;
  int next = 0;
  for (const Split split : kAllSplits) {
    if (next == sizes.size() || sizes[next].split() != Name(split)) continue;
    if (sizes[next].examples() < 0) return reader.Damaged("negative number of examples");
    read[split] = sizes[next++].examples();
  }
  if (next != sizes.size()) return reader.Damaged("unknown, repeated or misplaced split");
  return read;
}

}  // namespace roar::datasets
