#include "datasets/ranking_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/experiment/sha256.h"
#include "datasets/record_file.h"

namespace roar::datasets {
namespace {

masks::Ranking TinyRanking() {
  return {{Split::kTrain, {{0, 2, 1, 0}, {0, 0}, {}}}, {Split::kTest, {{0, 1, 3, 2, 0}}}};
}

// Ranks that are a shuffled 1..n with zeros at both ends.
rc::Gen<masks::Ranks> ArbitraryRanks() {
  return rc::gen::exec([] {
    const auto size = *rc::gen::inRange(0, 40);
    masks::Ranks ranks = {0};
    for (const std::int64_t i : RandomStream(*rc::gen::arbitrary<int>(), "ranks").Permutation(size)) {
      ranks.push_back(static_cast<std::int32_t>(i + 1));
    }
    ranks.push_back(0);
    return ranks;
  });
}

RC_GTEST_PROP(RankingFile, KeepsEveryRankingAndItsHash, ()) {
  masks::Ranking ranking;
  for (const Split split : kAllSplits) {
    if (*rc::gen::arbitrary<bool>()) {
      ranking[split] = *rc::gen::scale(0.3, rc::gen::container<std::vector<masks::Ranks>>(ArbitraryRanks()));
    }
  }
  const EncodedRanking encoded = EncodeRanking(ranking);
  const auto decoded = DecodeRanking(encoded.bytes);
  RC_ASSERT(decoded.ok());
  RC_ASSERT(*decoded == ranking);
  RC_ASSERT(EncodeRanking(*decoded).content_sha256 == encoded.content_sha256);
}

TEST(RankingFile, HashIsOfTheUncompressedBytesAndDoesNotMove) {
  const EncodedRanking encoded = EncodeRanking(TinyRanking());
  EXPECT_EQ(encoded.content_sha256, Sha256Hex(*Decompress(encoded.bytes, kContentBytesMost)));
  EXPECT_EQ(encoded.content_sha256, *ContentSha256(encoded.bytes));
  // Computed by other code, from the format's description.
  EXPECT_EQ(encoded.content_sha256, "fcb01a1bde1619acfaa1b1faddf4e1db03d95d15b9b44fe31a1584a32ea967b0");
}

TEST(RankingFile, EveryTruncationIsRefused) {
  const std::string bytes = EncodeRanking(TinyRanking()).bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(DecodeRanking(bytes.substr(0, size)).status().code(), absl::StatusCode::kDataLoss) << size;
  }
  const std::string content = *Decompress(bytes, kContentBytesMost);
  for (std::size_t size = 0; size < content.size(); ++size) {
    EXPECT_EQ(DecodeRanking(Compress(content.substr(0, size))).status().code(), absl::StatusCode::kDataLoss) << size;
  }
}

TEST(RankingFile, NoDamagedByteChangesTheContentUnseen) {
  const std::string bytes = EncodeRanking(TinyRanking()).bytes;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int mask = 1; mask < 256; ++mask) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ mask);
      const auto decoded = DecodeRanking(damaged);
      if (decoded.ok()) {
        EXPECT_EQ(*decoded, TinyRanking()) << "byte " << i << " ^ " << mask;
      } else {
        EXPECT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, bytes.size() * 255 * 95 / 100);
}

TEST(RankingFile, BytesAfterTheFrameOrTheRecordsAreRefused) {
  const std::string bytes = EncodeRanking(TinyRanking()).bytes;
  EXPECT_EQ(DecodeRanking(bytes + std::string(1, '\0')).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(DecodeRanking(Compress(*Decompress(bytes, kContentBytesMost) + std::string(4, '\0'))).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(RankingFile, RanksThatAreNoPermutationAreRefusedByRecord) {
  for (const masks::Ranks& ranks : {masks::Ranks{0, 1, 1}, {0, 2}, {-1, 1}, {3, 1}}) {
    const auto decoded = DecodeRanking(EncodeRanking({{Split::kTrain, {{0, 1, 0}, ranks}}}).bytes);
    ASSERT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(decoded.status().message().substr(0, 9), "record 3:");
  }
}

}  // namespace
}  // namespace roar::datasets
