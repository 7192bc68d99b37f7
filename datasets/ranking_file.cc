#include "datasets/ranking_file.h"

#include <vector>

#include "core/experiment/sha256.h"
#include "datasets/record_file.h"
#include "proto/roar/v1/dataset_record.pb.h"

namespace roar::datasets {
namespace {

constexpr std::string_view kMagic = "roar ranking 1\n";
constexpr std::int32_t kSpecialTokenId = 0;

v1::RankingHeader ToHeader(const masks::Ranking& ranking) {
  v1::RankingHeader header;
  AddSplitSizes(ranking, *header.mutable_splits());
  return header;
}

v1::RankingRecord ToRecord(const masks::Ranks& ranks) {
  v1::RankingRecord record;
  record.mutable_ranks()->Add(ranks.begin(), ranks.end());
  return record;
}

// The ranks are what some text could have: the tokens of rank 0 are taken for special, all others for maskable.
absl::Status CheckAlone(const masks::Ranks& ranks) {
  std::vector<std::int32_t> tokens;
  for (const std::int32_t rank : ranks) tokens.push_back(rank == 0 ? kSpecialTokenId : masks::kMaskTokenId);
  return masks::CheckRanks(ranks, tokens);
}

absl::StatusOr<std::vector<masks::Ranks>> ReadExamples(std::int64_t count, RecordReader& reader) {
  std::vector<masks::Ranks> examples;
  for (std::int64_t i = 0; i < count; ++i) {
    v1::RankingRecord record;
    if (absl::Status read = reader.Next(record); !read.ok()) return read;
    examples.emplace_back(record.ranks().begin(), record.ranks().end());
    if (absl::Status check = CheckAlone(examples.back()); !check.ok()) {
      return reader.Damaged(std::string(check.message()));
    }
  }
  return examples;
}

}  // namespace

EncodedRanking EncodeRanking(const masks::Ranking& ranking) {
  RecordWriter writer(kMagic);
  writer.Add(ToHeader(ranking));
  for (const auto& [split, examples] : ranking) {
    for (const masks::Ranks& ranks : examples) writer.Add(ToRecord(ranks));
  }
  return {.bytes = Compress(writer.bytes()), .content_sha256 = Sha256Hex(writer.bytes())};
}

absl::StatusOr<masks::Ranking> DecodeRanking(std::string_view bytes) {
  const absl::StatusOr<std::string> content = Decompress(bytes, kContentBytesMost);
  if (!content.ok()) return content.status();
  absl::StatusOr<RecordReader> reader = RecordReader::Open(*content, kMagic);
  if (!reader.ok()) return reader.status();
  v1::RankingHeader header;
  if (absl::Status read = reader->Next(header); !read.ok()) return read;
  const auto sizes = ReadSplitSizes(header.splits(), *reader);
  if (!sizes.ok()) return sizes.status();

  masks::Ranking ranking;
  for (const auto& [split, count] : *sizes) {
    auto examples = ReadExamples(count, *reader);
    if (!examples.ok()) return examples.status();
    ranking[split] = *std::move(examples);
  }
  if (absl::Status end = reader->CheckEnd(); !end.ok()) return end;
  return ranking;
}

}  // namespace roar::datasets
