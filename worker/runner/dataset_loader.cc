#include "worker/runner/dataset_loader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/experiment/sha256.h"
#include "datasets/canonical.h"
#include "datasets/record_file.h"
#include "datasets/text/vocabulary.h"
#include "proto/transport/durable_file.h"

namespace roar::runner {
namespace {

absl::StatusOr<datasets::Dataset> ReadDataset(const std::string& content_sha256, const std::filesystem::path& path) {
  const absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<std::string> content = datasets::Decompress(*bytes);
  if (!content.ok()) return content.status();
  if (const std::string found = Sha256Hex(*content); found != content_sha256) {
    return absl::DataLossError(
        absl::StrCat("the data set in ", path.string(), " is ", found, ", not ", content_sha256));
  }
  return datasets::Decode(*bytes);
}

void KeepFirst(std::int64_t limit, datasets::Dataset& dataset) {
  if (limit <= 0) return;
  for (auto& [split, examples] : dataset.splits) {
    examples.resize(std::min(examples.size(), static_cast<std::size_t>(limit)));
  }
}

ml::EncodedDataset EncodeTokens(const datasets::Dataset& dataset) {
  const auto vocabulary = datasets::Vocabulary::FromTrainSplit(dataset);
  ml::EncodedDataset encoded = {.vocabulary_size = vocabulary.size(),
                                .class_count = static_cast<std::int64_t>(dataset.labels.size())};
  for (const auto& [split, examples] : dataset.splits) {
    std::vector<ml::EncodedExample>& encoded_examples = encoded.splits[split];
    encoded_examples.reserve(examples.size());
    for (const datasets::Example& example : examples) {
      ml::EncodedExample& to = encoded_examples.emplace_back();
      to.tokens = vocabulary.Encode(example.tokens);
      if (dataset.has_second_sequence) to.second_tokens = vocabulary.Encode(example.second_tokens);
      to.label = example.label;
    }
  }
  return encoded;
}

}  // namespace

absl::StatusOr<const ml::EncodedDataset*> DatasetLoader::Load(const DatasetReference& reference,
                                                              const std::filesystem::path& path) {
  if (loaded_ == reference) return &dataset_;
  loaded_.reset();
  dataset_ = {};
  absl::StatusOr<datasets::Dataset> dataset = ReadDataset(reference.content_sha256, path);
  if (!dataset.ok()) return dataset.status();
  KeepFirst(reference.limit, *dataset);
  dataset_ = EncodeTokens(*dataset);
  loaded_ = reference;
  return &dataset_;
}

}  // namespace roar::runner
