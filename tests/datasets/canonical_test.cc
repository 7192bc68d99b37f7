#include "datasets/canonical.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "core/experiment/sha256.h"
#include "datasets/record_file.h"

namespace roar::datasets {
namespace {

Dataset TinyDataset() {
  Dataset dataset = {.labels = {"no", "yes"}, .has_second_sequence = true};
  dataset.splits[Split::kTrain] = {
      {.tokens = {"a", "b", "."}, .second_tokens = {"q"}, .label = 1, .evidence_tokens = {0, 2}},
      {.tokens = {}, .second_tokens = {}, .label = 0}};
  dataset.splits[Split::kTest] = {{.tokens = {"caf\xc3\xa9"}, .second_tokens = {"q", "r"}, .label = 0}};
  return dataset;
}

std::string Uncompressed(const Dataset& dataset) { return *Decompress(Encode(dataset).bytes, kContentBytesMost); }

rc::Gen<Example> ArbitraryExample(int labels, bool has_second_sequence) {
  return rc::gen::exec([labels, has_second_sequence] {
    Example example = {.tokens = *rc::gen::arbitrary<std::vector<std::string>>()};
    if (has_second_sequence) example.second_tokens = *rc::gen::arbitrary<std::vector<std::string>>();
    example.label = *rc::gen::inRange(0, labels);
    for (std::size_t i = 0; i < example.tokens.size(); ++i) {
      if (*rc::gen::arbitrary<bool>()) example.evidence_tokens.push_back(static_cast<std::int32_t>(i));
    }
    return example;
  });
}

rc::Gen<Dataset> ArbitraryDataset() {
  return rc::gen::exec([] {
    Dataset dataset = {.labels = *rc::gen::nonEmpty<std::vector<std::string>>(),
                       .has_second_sequence = *rc::gen::arbitrary<bool>()};
    for (const Split split : kAllSplits) {
      if (!*rc::gen::arbitrary<bool>()) continue;
      const auto example = ArbitraryExample(static_cast<int>(dataset.labels.size()), dataset.has_second_sequence);
      dataset.splits[split] = *rc::gen::scale(0.3, rc::gen::container<std::vector<Example>>(example));
    }
    return dataset;
  });
}

RC_GTEST_PROP(Canonical, KeepsEveryDatasetAndNamesItByContent, ()) {
  const Dataset dataset = *ArbitraryDataset();
  const CanonicalDataset encoded = Encode(dataset);
  const auto decoded = Decode(encoded.bytes);
  RC_ASSERT(decoded.ok());
  RC_ASSERT(*decoded == dataset);
  RC_ASSERT(Encode(*decoded).content_sha256 == encoded.content_sha256);
}

TEST(Canonical, ContentHashIsThatOfTheUncompressedBytes) {
  const CanonicalDataset encoded = Encode(TinyDataset());
  EXPECT_EQ(encoded.content_sha256, Sha256Hex(*Decompress(encoded.bytes, kContentBytesMost)));
  // Computed by other code, from the format's description. A change needs a new version in the magic line.
  EXPECT_EQ(encoded.content_sha256, "cbcd608fc93439de9f24f7d8ab5ef532521532e3f6a29b9f13ddef675f844b6a");
}

TEST(Canonical, AnyDifferenceIsAnotherIdentity) {
  const std::string original = Encode(TinyDataset()).content_sha256;
  const std::pair<const char*, std::function<void(Dataset&)>> changes[] = {
      {"label name", [](Dataset& d) { d.labels[0] = "nope"; }},
      {"label order", [](Dataset& d) { std::swap(d.labels[0], d.labels[1]); }},
      {"label", [](Dataset& d) { d.splits[Split::kTest][0].label = 1; }},
      {"word boundary",
       [](Dataset& d) {
         d.splits[Split::kTrain][0].tokens = {"ab", "."};
       }},
      {"word across sequences",
       [](Dataset& d) {
         d.splits[Split::kTest][0] = {{"caf\xc3\xa9", "q"}, {"r"}, 0, {}};
       }},
      {"evidence", [](Dataset& d) { d.splits[Split::kTrain][0].evidence_tokens = {0}; }},
      {"order", [](Dataset& d) { std::swap(d.splits[Split::kTrain][0], d.splits[Split::kTrain][1]); }},
      {"split", [](Dataset& d) { std::swap(d.splits[Split::kTrain], d.splits[Split::kTest]); }},
      {"empty split", [](Dataset& d) { d.splits[Split::kValidation]; }},
  };
  for (const auto& [name, change] : changes) {
    Dataset changed = TinyDataset();
    change(changed);
    EXPECT_NE(Encode(changed).content_sha256, original) << name;
  }
}

TEST(Canonical, EveryTruncationIsRefused) {
  const std::string bytes = Encode(TinyDataset()).bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(Decode(bytes.substr(0, size)).status().code(), absl::StatusCode::kDataLoss) << size;
  }
}

TEST(Canonical, NoDamagedByteChangesTheContentUnseen) {
  const Dataset dataset = TinyDataset();
  const std::string bytes = Encode(dataset).bytes;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int mask = 1; mask < 256; ++mask) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ mask);
      const auto decoded = Decode(damaged);
      if (decoded.ok()) {
        EXPECT_EQ(*decoded, dataset) << "byte " << i << " ^ " << mask;
      } else {
        EXPECT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
        ++refused;
      }
    }
  }
  // Only a bit or so of the frame's header is free; all else is noticed.
  EXPECT_GT(refused, bytes.size() * 255 * 97 / 100);
}

TEST(Canonical, BytesAfterTheFrameAreRefused) {
  const std::string bytes = Encode(TinyDataset()).bytes;
  EXPECT_EQ(Decode(bytes + "x").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Decode(bytes + bytes).status().code(), absl::StatusCode::kDataLoss);
}

// Damage inside an undamaged frame: from a faulty or newer writer.
TEST(Canonical, EveryCutOfTheRecordsIsRefused) {
  const std::string content = Uncompressed(TinyDataset());
  for (std::size_t size = 0; size < content.size(); ++size) {
    EXPECT_EQ(Decode(Compress(content.substr(0, size))).status().code(), absl::StatusCode::kDataLoss) << size;
  }
}

TEST(Canonical, RecordsThatMakeNoSenseAreRefusedByNumber) {
  const auto refusal = [](const std::function<void(Dataset&)>& spoil) {
    Dataset dataset = TinyDataset();
    spoil(dataset);
    return std::string(Decode(Encode(dataset).bytes).status().message());
  };
  EXPECT_EQ(refusal([](Dataset& d) { d.splits[Split::kTrain][1].label = 2; }),
            "record 3: label 2 is not one of the 2 labels");
  EXPECT_EQ(refusal([](Dataset& d) { d.splits[Split::kTrain][0].label = -1; }),
            "record 2: label -1 is not one of the 2 labels");
  EXPECT_EQ(refusal([](Dataset& d) { d.has_second_sequence = false; }),
            "record 2: a second sequence in a data set without one");
  for (const std::vector<std::int32_t>& evidence :
       {std::vector{3}, std::vector{-1}, std::vector{1, 0}, std::vector{1, 1}}) {
    EXPECT_EQ(refusal([&](Dataset& d) { d.splits[Split::kTrain][0].evidence_tokens = evidence; }),
              "record 2: evidence is not an ascending list of token positions");
  }
}

TEST(Canonical, AnUnknownVersionOrOtherFileIsRefused) {
  std::string content = Uncompressed(TinyDataset());
  content[content.find('\n') - 1] = '2';
  EXPECT_EQ(Decode(Compress(content)).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Decode(Compress("")).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Decode("tokens,label\n").status().code(), absl::StatusCode::kDataLoss);
}

TEST(Canonical, FieldsOfANewerWriterAreRefusedNotDropped) {
  RecordWriter writer("roar data set 1\n");
  v1::DatasetHeader header;
  header.add_labels("no");
  header.GetReflection()->MutableUnknownFields(&header)->AddVarint(77, 1);
  writer.Add(header);
  const auto decoded = Decode(Compress(writer.bytes()));
  EXPECT_EQ(decoded.status().message(), "record 1: not in canonical form; written by a newer version?");
}

TEST(Canonical, SplitsMustBeKnownAndInOrder) {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"holdout"}, {"test", "train"}, {"train", "train"}}) {
    RecordWriter writer("roar data set 1\n");
    v1::DatasetHeader header;
    for (const std::string& name : names) header.add_splits()->set_split(name);
    writer.Add(header);
    EXPECT_EQ(Decode(Compress(writer.bytes())).status().message(), "record 1: unknown, repeated or misplaced split");
  }
}

}  // namespace
}  // namespace roar::datasets
