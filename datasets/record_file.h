#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/experiment/names.h"
#include "proto/roar/v1/dataset_record.pb.h"

// What the stored files have in common: a magic line, then protobuf records, each after its length in 4 bytes (little
// endian), all in one zstd frame with a checksum.

namespace roar::datasets {

class RecordWriter {
 public:
  explicit RecordWriter(std::string_view magic) : bytes_(magic) {}
  // A record is under 2 GiB, protobuf's own limit.
  void Add(const google::protobuf::Message& record);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what a RecordWriter wrote. Every error is DataLoss and names the record, the first being 1.
class RecordReader {
 public:
  // `bytes` must outlive the reader.
  static absl::StatusOr<RecordReader> Open(std::string_view bytes, std::string_view magic);

  // The next record; also refused when it is not exactly what a RecordWriter would have written for its content, as
  // with unknown fields: the bytes are an identity.
  absl::Status Next(google::protobuf::Message& record);
  // OK when no bytes are left.
  absl::Status CheckEnd() const;
  // DataLoss about the record that Next gave last.
  absl::Status Damaged(const std::string& cause) const;

 private:
  explicit RecordReader(std::string_view records) : rest_(records) {}

  std::string_view rest_;
  std::size_t record_count_ = 0;
};

// One zstd frame, at a fixed level, with its content's size and checksum.
std::string Compress(std::string_view content);
// No data set and no ranking holds more. A frame of some kilobytes may unpack to far more than there is memory.
inline constexpr std::size_t kContentBytesMost = std::size_t{1} << 30;

// DataLoss when the bytes are anything but one whole, undamaged frame, or hold more than `content_bytes_most`. Memory
// grows with the content found, not with what a damaged header promises.
absl::StatusOr<std::string> Decompress(std::string_view frame, std::size_t content_bytes_most);
// SHA-256 of what a frame holds: the identity of a data set and of a ranking, whatever packed it. Errors of Decompress.
absl::StatusOr<std::string> ContentSha256(std::string_view frame);

using SplitSizes = google::protobuf::RepeatedPtrField<v1::SplitSize>;

template <typename T>
void AddSplitSizes(const std::map<Split, std::vector<T>>& splits, SplitSizes& sizes) {
  for (const auto& [split, examples] : splits) {
    v1::SplitSize& size = *sizes.Add();
    size.set_split(std::string(Name(split)));
    size.set_examples(static_cast<std::int64_t>(examples.size()));
  }
}

// The sizes by split; DataLoss (through `reader`) for an unknown, repeated or misplaced split or a negative size.
absl::StatusOr<std::map<Split, std::int64_t>> ReadSplitSizes(const SplitSizes& sizes, const RecordReader& reader);

}  // namespace roar::datasets
