#include "worker/runner/dataset_loader.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "datasets/canonical.h"
#include "datasets/importers/import_report.h"
#include "datasets/record_file.h"
#include "datasets/text/vocabulary.h"
#include "proto/transport/durable_file.h"

namespace roar::runner {
namespace {

absl::StatusOr<datasets::Dataset> ReadDataset(const std::string& content_sha256, const std::filesystem::path& path) {
  const absl::StatusOr<std::string> bytes = ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<std::string> found = datasets::ContentSha256(*bytes);
  if (!found.ok()) return found.status();
  if (*found != content_sha256) {
    return absl::DataLossError(
        absl::StrCat("the data set in ", path.string(), " is ", *found, ", not ", content_sha256));
  }
  return datasets::Decode(*bytes);
}

// A model of one class would be perfect whatever is masked.
absl::Status CheckClasses(const DatasetReference& reference, const datasets::Dataset& dataset) {
  const auto train = dataset.splits.find(Split::kTrain);
  if (train == dataset.splits.end() || train->second.empty()) return absl::OkStatus();
  const std::vector<datasets::Example>& examples = train->second;
  const std::int32_t label = examples.front().label;
  if (!std::ranges::all_of(examples, [&](const datasets::Example& example) { return example.label == label; })) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("with the limit ", reference.limit, ", train of the data set ",
                                                 reference.content_sha256, " has only the class ",
                                                 datasets::Quoted(dataset.labels[static_cast<std::size_t>(label)]),
                                                 "; shuffle the file and import it again, or raise the limit"));
}

absl::Status KeepFirst(const DatasetReference& reference, datasets::Dataset& dataset) {
  if (reference.limit <= 0) return absl::OkStatus();
  for (auto& [split, examples] : dataset.splits) {
    examples.resize(std::min(examples.size(), static_cast<std::size_t>(reference.limit)));
  }
  return CheckClasses(reference, dataset);
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

std::size_t BytesOf(const ml::EncodedDataset& dataset) {
  std::size_t bytes = 0;
  for (const auto& [split, examples] : dataset.splits) {
    for (const ml::EncodedExample& example : examples) {
      bytes += sizeof example + (example.tokens.size() + example.second_tokens.size()) * sizeof(std::int32_t);
    }
  }
  return bytes;
}

}  // namespace

absl::StatusOr<const ml::EncodedDataset*> DatasetLoader::Load(const DatasetReference& reference,
                                                              const std::filesystem::path& path) {
  const auto found = std::ranges::find(loaded_, reference, &Loaded::reference);
  if (found != loaded_.end()) {
    loaded_.splice(loaded_.begin(), loaded_, found);
    return &found->dataset;
  }
  absl::StatusOr<datasets::Dataset> dataset = ReadDataset(reference.content_sha256, path);
  if (!dataset.ok()) return dataset.status();
  if (absl::Status kept = KeepFirst(reference, *dataset); !kept.ok()) return kept;
  loaded_.push_front({reference, EncodeTokens(*dataset)});
  MakeRoom();
  return &loaded_.front().dataset;
}

void DatasetLoader::MakeRoom() {
  std::size_t bytes = BytesOf(loaded_.front().dataset);
  auto next = std::next(loaded_.begin());
  while (next != loaded_.end() && (bytes += BytesOf(next->dataset)) <= kept_bytes_most_) ++next;
  loaded_.erase(next, loaded_.end());
}

}  // namespace roar::runner
