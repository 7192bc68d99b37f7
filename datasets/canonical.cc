#include "datasets/canonical.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"
#include "datasets/record_file.h"
#include "proto/roar/v1/dataset_record.pb.h"

namespace roar::datasets {
namespace {

constexpr std::string_view kMagic = "roar data set 1\n";

v1::DatasetHeader ToHeader(const Dataset& dataset) {
  v1::DatasetHeader header;
  for (const std::string& label : dataset.labels) header.add_labels(label);
  header.set_has_second_sequence(dataset.has_second_sequence);
  AddSplitSizes(dataset.splits, *header.mutable_splits());
  return header;
}

v1::ExampleRecord ToRecord(const Example& example) {
  v1::ExampleRecord record;
  for (const std::string& token : example.tokens) record.add_tokens(token);
  for (const std::string& token : example.second_tokens) record.add_second_tokens(token);
  record.set_label(example.label);
  record.mutable_evidence_tokens()->Add(example.evidence_tokens.begin(), example.evidence_tokens.end());
  return record;
}

Example FromRecord(const v1::ExampleRecord& record) {
  return {.tokens = {record.tokens().begin(), record.tokens().end()},
          .second_tokens = {record.second_tokens().begin(), record.second_tokens().end()},
          .label = record.label(),
          .evidence_tokens = {record.evidence_tokens().begin(), record.evidence_tokens().end()}};
}

// What is wrong with an example of this data set, or nothing.
std::string Fault(const Example& example, const Dataset& dataset) {
  const auto labels = static_cast<std::int64_t>(dataset.labels.size());
  if (example.label < 0 || example.label >= labels) {
    return absl::StrCat("label ", example.label, " is not one of the ", labels, " labels");
  }
  if (!dataset.has_second_sequence && !example.second_tokens.empty()) {
    return "a second sequence in a data set without one";
  }
  const std::vector<std::int32_t>& evidence = example.evidence_tokens;
  const bool in_range =
      evidence.empty() || (evidence.front() >= 0 && evidence.back() < static_cast<std::int64_t>(example.tokens.size()));
  const bool ascending = std::adjacent_find(evidence.begin(), evidence.end(), std::greater_equal<>()) == evidence.end();
  return in_range && ascending ? "" : "evidence is not an ascending list of token positions";
}

absl::StatusOr<std::vector<Example>> ReadExamples(std::int64_t count, const Dataset& dataset, RecordReader& reader) {
  std::vector<Example> examples;
  for (std::int64_t i = 0; i < count; ++i) {
    v1::ExampleRecord record;
    if (absl::Status read = reader.Next(record); !read.ok()) return read;
    examples.push_back(FromRecord(record));
    if (const std::string fault = Fault(examples.back(), dataset); !fault.empty()) return reader.Damaged(fault);
  }
  return examples;
}

}  // namespace

CanonicalDataset Encode(const Dataset& dataset) {
  RecordWriter writer(kMagic);
  writer.Add(ToHeader(dataset));
  for (const auto& [split, examples] : dataset.splits) {
    for (const Example& example : examples) writer.Add(ToRecord(example));
  }
  return {.bytes = Compress(writer.bytes()),
          .content_sha256 = Sha256Hex(writer.bytes()),
          .content_bytes = writer.bytes().size()};
}

absl::Status CheckSize(const CanonicalDataset& dataset) {
  if (dataset.content_bytes <= kContentBytesMost) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the data set has ", dataset.content_bytes, " bytes, more than ",
                                                 kContentBytesMost, "; take a part of it"));
}

absl::StatusOr<Dataset> Decode(std::string_view bytes) {
  const absl::StatusOr<std::string> content = Decompress(bytes, kContentBytesMost);
  if (!content.ok()) return content.status();
  absl::StatusOr<RecordReader> reader = RecordReader::Open(*content, kMagic);
  if (!reader.ok()) return reader.status();
  v1::DatasetHeader header;
  if (absl::Status read = reader->Next(header); !read.ok()) return read;
  const auto sizes = ReadSplitSizes(header.splits(), *reader);
  if (!sizes.ok()) return sizes.status();

  Dataset dataset = {.labels = {header.labels().begin(), header.labels().end()},
                     .has_second_sequence = header.has_second_sequence()};
  for (const auto& [split, count] : *sizes) {
    auto examples = ReadExamples(count, dataset, *reader);
    if (!examples.ok()) return examples.status();
    dataset.splits[split] = *std::move(examples);
  }
  if (absl::Status end = reader->CheckEnd(); !end.ok()) return end;
  return dataset;
}

}  // namespace roar::datasets
