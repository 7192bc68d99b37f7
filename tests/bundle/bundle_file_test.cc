// A bundle is taken as a whole or not at all, whatever happened to the file.

#include "client/bundle_file.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "client/bundle_check.h"
#include "datasets/record_file.h"
#include "proto/transport/durable_file.h"
#include "tests/bundle/site.h"

namespace roar {
namespace {

using testing::HasSubstr;

// What a bundle is made of, to be written otherwise than it should.
struct Parts {
  v1::BundleHeader header;
  std::vector<v1::BundledJob> jobs;
  // Bytes by their announced names, in order.
  std::vector<std::pair<ArtifactName, std::string>> artifacts;
};

Parts ReadParts(const std::filesystem::path& path) {
  Parts parts;
  const absl::Status status = ReadBundle(path, {.header =
                                                    [&](const v1::BundleHeader& header) {
                                                      parts.header = header;
                                                      return absl::OkStatus();
                                                    },
                                                .job =
                                                    [&](const v1::BundledJob& job) {
                                                      parts.jobs.push_back(job);
                                                      return absl::OkStatus();
                                                    },
                                                .artifact =
                                                    [&](const ArtifactName& name, const std::filesystem::path& file) {
                                                      parts.artifacts.emplace_back(name, *ReadFile(file));
                                                      return absl::OkStatus();
                                                    }});
  EXPECT_TRUE(status.ok()) << status;
  return parts;
}

void Write(const Parts& parts, const std::filesystem::path& path) {
  auto writer = BundleWriter::Create(path);
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)->Add(parts.header).ok());
  v1::BundledJobs jobs;
  jobs.mutable_jobs()->Add(parts.jobs.begin(), parts.jobs.end());
  ASSERT_TRUE((*writer)->Add(jobs).ok());
  for (const auto& [name, bytes] : parts.artifacts) {
    const std::filesystem::path file = path.parent_path() / "artifact";
    ASSERT_TRUE(WriteFileDurably(file, bytes).ok());
    ASSERT_TRUE((*writer)->Add(name, file).ok());
  }
  ASSERT_TRUE((*writer)->Finish().ok());
}

// Of the first artifact of that kind.
std::string& BytesOf(v1::ArtifactKind kind, Parts& parts) {
  return std::ranges::find(parts.artifacts, kind, [](const auto& of) { return of.first.kind; })->second;
}

// One half-done sweep's bundle for all tests.
class BundleFileTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Site site("a");
    const std::int64_t id = site.Submit(server::FakeSweep(Sha256Hex("examples"), {0})).id;
    server::FakeWorker worker = site.Worker();
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(worker.Work().ok());
    site.Export(id, site.folder() / "bundle");
    good_ = new std::string(*ReadFile(site.folder() / "bundle"));
  }
  static void TearDownTestSuite() { delete good_; }

  absl::Status Check(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary) << bytes;
    return CheckBundle(file_).status();
  }

  static const std::string* good_;
  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "bundle";
};
const std::string* BundleFileTest::good_ = nullptr;

TEST_F(BundleFileTest, ReadsWhatWasWritten) {
  EXPECT_TRUE(Check(*good_).ok());
  const Parts parts = ReadParts(file_);
  EXPECT_EQ(parts.header.sweep_name(), "fake");
  EXPECT_EQ(parts.header.datasets(0).reference().content_sha256(), Sha256Hex("examples"));
  EXPECT_GT(parts.jobs.size(), 4u);
  EXPECT_GT(parts.artifacts.size(), 1u);
  Write(parts, folder_.path() / "again");
  EXPECT_TRUE(CheckBundle(folder_.path() / "again").ok());
}

void ExpectOneRemedy(const absl::Status& status) {
  const std::string message(status.message());
  EXPECT_THAT(message, testing::EndsWith("; copy or export it again"));
  EXPECT_EQ(std::ranges::count(message, ';'), 1) << message;
}

// Where the last record's frame begins, after its length.
std::size_t StartOfEnd(const std::string& bundle) {
  std::size_t at = std::string_view("roar bundle 1\n").size();
  for (;;) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
      length |= static_cast<std::size_t>(static_cast<unsigned char>(bundle[at + i])) << (8 * i);
    at += 4;
    if (at + length >= bundle.size()) return at;
    at += length;
  }
}

TEST_F(BundleFileTest, AFlippedBitAnywhereIsFound) {
  for (std::size_t at = 0; at < good_->size(); ++at) {
    std::string bytes = *good_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    const absl::Status status = Check(bytes);
    const bool is_found = absl::IsDataLoss(status) || (at < 14 && absl::IsInvalidArgument(status));
    // The hash that the end holds is of all frames before; its own frame has bits that zstd does not look at.
    ASSERT_TRUE(is_found || (status.ok() && at >= StartOfEnd(*good_))) << "at " << at << ": " << status;
    if (absl::IsDataLoss(status)) ExpectOneRemedy(status);
  }
}

TEST_F(BundleFileTest, ACutOrLengthenedFileIsFound) {
  for (std::size_t length = 14; length < good_->size(); ++length) {
    ASSERT_TRUE(absl::IsDataLoss(Check(good_->substr(0, length)))) << length;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(Check("")));
  EXPECT_THAT(std::string(Check(*good_ + "x").message()), HasSubstr("something follows the end"));
  EXPECT_TRUE(absl::IsDataLoss(Check(*good_ + *good_)));
}

// Every record is whole, but one is missing, comes twice, or two have changed places.
TEST_F(BundleFileTest, RecordsAreCountedInTheirOrder) {
  constexpr std::size_t kMagicLength = 14;
  std::vector<std::string> frames;
  for (std::size_t at = kMagicLength; at < good_->size();) {
    std::size_t length = 4;
    for (std::size_t i = 0; i < 4; ++i) length += std::size_t{static_cast<unsigned char>((*good_)[at + i])} << (8 * i);
    frames.push_back(good_->substr(at, length));
    at += length;
  }
  ASSERT_GT(frames.size(), 4u);
  const auto join = [&](const std::vector<std::string>& parts) {
    std::string bytes = good_->substr(0, kMagicLength);
    for (const std::string& part : parts) bytes += part;
    return bytes;
  };
  ASSERT_EQ(join(frames), *good_);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::vector<std::string> without = frames, twice = frames, swapped = frames;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), frames[i]);
    std::swap(swapped[i], swapped[(i + 1) % frames.size()]);
    EXPECT_TRUE(absl::IsDataLoss(Check(join(without)))) << i;
    EXPECT_TRUE(absl::IsDataLoss(Check(join(twice)))) << i;
    EXPECT_TRUE(absl::IsDataLoss(Check(join(swapped)))) << i;
  }
}

TEST_F(BundleFileTest, OtherFilesAreToldApart) {
  EXPECT_THAT(std::string(Check("name: quickstart\n").message()), HasSubstr("is not a bundle"));
  std::string newer = *good_;
  newer[12] = '2';
  EXPECT_THAT(std::string(Check(newer).message()), HasSubstr("another version"));
  EXPECT_TRUE(absl::IsNotFound(CheckBundle(folder_.path() / "nowhere").status()));
}

TEST_F(BundleFileTest, AnArtifactIsOfAsManyChunksAsItNeeds) {
  Parts parts;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, (std::size_t{5} << 19) + 3}) {
    const std::string bytes(size, 'w');
    parts.artifacts.push_back({{v1::ARTIFACT_KIND_CHECKPOINT, Sha256Hex(bytes)}, bytes});
  }
  Write(parts, file_);
  EXPECT_EQ(ReadParts(file_).artifacts.size(), 4u);
  for (std::size_t i = 0; i < parts.artifacts.size(); ++i) {
    EXPECT_EQ(ReadParts(file_).artifacts[i].second, parts.artifacts[i].second);
  }
}

TEST_F(BundleFileTest, ARankingIsTheSameWhateverPackedIt) {
  ASSERT_TRUE(Check(*good_).ok());
  Parts parts = ReadParts(file_);
  std::string& bytes = BytesOf(v1::ARTIFACT_KIND_RANKING, parts);
  const std::string repacked = datasets::Compress(*datasets::Decompress(bytes, datasets::kContentBytesMost));
  ASSERT_NE(repacked, bytes);
  bytes = repacked;
  Write(parts, file_);
  EXPECT_TRUE(CheckBundle(file_).ok());
}

TEST_F(BundleFileTest, WithoutItsEndNothingIsLeft) {
  {
    auto writer = BundleWriter::Create(file_);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->Add(v1::BundleHeader()).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  const std::filesystem::path nowhere = folder_.path() / "no" / "folder.roar";
  const absl::Status status = BundleWriter::Create(nowhere).status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(nowhere.string() + ":")) << "not a name that nobody gave";
}

// The file is whole; what it says cannot be.
struct Lie {
  std::string name;
  void (*tell)(Parts& parts);
  std::string message;
};

class LieTest : public BundleFileTest, public testing::WithParamInterface<Lie> {};

std::size_t IndexOfExplanation(const Parts& parts) {
  for (std::size_t i = 0; i < parts.jobs.size(); ++i) {
    if (parts.jobs[i].spec().has_explain()) return i;
  }
  return 0;
}

TEST_P(LieTest, IsFound) {
  ASSERT_TRUE(Check(*good_).ok());
  Parts parts = ReadParts(file_);
  GetParam().tell(parts);
  Write(parts, file_);
  const absl::Status status = CheckBundle(file_).status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().message));
  ExpectOneRemedy(status);
}

INSTANTIATE_TEST_SUITE_P(
    All, LieTest,
    testing::Values(
        Lie{"OtherSpec", [](Parts& parts) { parts.jobs[0].mutable_spec()->mutable_train()->set_seed(9); },
            "its key is not that of its spec"},
        Lie{"RecordThatFillsTheMemory",
            [](Parts& parts) { parts.header.set_sweep_name(std::string(std::size_t{64} << 20, 'x')); },
            "record 1: it cannot be decompressed"},
        Lie{"NoSpec", [](Parts& parts) { parts.jobs[0].clear_spec(); }, "job spec has no kind"},
        Lie{"UnknownMeasure",
            [](Parts& parts) {
              parts.jobs[IndexOfExplanation(parts)].mutable_spec()->mutable_explain()->set_measure("oracle");
            },
            "unknown measure"},
        Lie{"NoResult", [](Parts& parts) { parts.jobs[0].clear_result(); }, "job result has no outcome"},
        Lie{"OtherKindOfResult",
            [](Parts& parts) {
              *parts.jobs[0].mutable_result()->mutable_explain() =
                  parts.jobs[IndexOfExplanation(parts)].result().explain();
            },
            "another kind of job"},
        Lie{"NoMetrics", [](Parts& parts) { parts.jobs[0].mutable_result()->mutable_train()->clear_metrics(); },
            "no metrics of the test split"},
        Lie{"ImpossibleEpoch",
            [](Parts& parts) { parts.jobs[0].mutable_result()->mutable_train()->set_best_epoch(1000); }, "best epoch"},
        Lie{"OtherData",
            [](Parts& parts) {
              parts.jobs[0].mutable_result()->mutable_inputs(0)->set_sha256(Sha256Hex("other examples"));
            },
            "it read dataset"},
        Lie{"OtherCheckpoint",
            [](Parts& parts) {
              parts.jobs[0].mutable_result()->mutable_train()->set_checkpoint_sha256(Sha256Hex("other weights"));
            },
            "it read checkpoint"},
        Lie{"InputAfterItsUser", [](Parts& parts) { std::swap(parts.jobs[0], parts.jobs[IndexOfExplanation(parts)]); },
            "is not here"},
        Lie{"InputMissing", [](Parts& parts) { parts.jobs.erase(parts.jobs.begin()); }, "is not here"},
        Lie{"TwiceTheSame", [](Parts& parts) { parts.jobs.push_back(parts.jobs[0]); }, "it comes twice"},
        Lie{"RankingMissing",
            [](Parts& parts) {
              std::erase_if(parts.artifacts, [](const auto& of) { return of.first.kind == v1::ARTIFACT_KIND_RANKING; });
            },
            "is missing"},
        Lie{"OtherWeights", [](Parts& parts) { BytesOf(v1::ARTIFACT_KIND_CHECKPOINT, parts) += " and more"; },
            "has other bytes"},
        Lie{"OtherRanks",
            [](Parts& parts) { BytesOf(v1::ARTIFACT_KIND_RANKING, parts) = server::ZstdFrame("other ranks"); },
            "has other bytes"},
        Lie{"NoFrame", [](Parts& parts) { BytesOf(v1::ARTIFACT_KIND_RANKING, parts) += " and more"; },
            "has other bytes"},
        Lie{"DataSet", [](Parts& parts) { parts.artifacts[0].first.kind = v1::ARTIFACT_KIND_DATASET; },
            "of a kind that no bundle has"},
        Lie{"NobodysArtifact",
            [](Parts& parts) {
              parts.artifacts.push_back({{v1::ARTIFACT_KIND_CHECKPOINT, Sha256Hex("more")}, "more"});
            },
            "is no job's"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace roar
