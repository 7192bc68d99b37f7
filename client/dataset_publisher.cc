#include "client/dataset_publisher.h"

#include "absl/strings/str_cat.h"
#include "client/temporary_file.h"
#include "client/upload.h"
#include "datasets/canonical.h"
#include "datasets/generators/generators.h"
#include "datasets/importers/importers.h"
#include "datasets/summary.h"
#include "proto/roar/v1/dataset_service.grpc.pb.h"
#include "proto/transport/durable_file.h"

namespace roar {
namespace {

absl::Status Upload(const Coordinator& coordinator, const datasets::CanonicalDataset& content) {
  const TemporaryFile file;
  if (absl::Status status = WriteFileDurably(file.path(), content.bytes, 0600); !status.ok()) return status;
  return UploadFile(coordinator, {.kind = v1::ARTIFACT_KIND_DATASET, .sha256 = content.content_sha256}, file.path());
}

v1::DatasetInfo Describe(const NamedDataset& dataset, const datasets::CanonicalDataset& content) {
  v1::DatasetInfo info;
  info.set_name(dataset.name);
  info.set_content_sha256(content.content_sha256);
  info.set_stored_bytes(static_cast<std::int64_t>(content.bytes.size()));
  info.set_origin(dataset.origin);
  for (const auto& [split, summary] : datasets::Summarize(dataset.dataset)) {
    v1::SplitSummary& message = *info.add_splits();
    message.set_split(std::string(Name(split)));
    message.set_examples(summary.examples);
    message.mutable_labels()->insert(summary.labels.begin(), summary.labels.end());
    message.set_mean_tokens(summary.mean_tokens);
    message.set_longest_tokens(summary.longest_tokens);
  }
  return info;
}

absl::StatusOr<v1::DatasetInfo> Generate(const Coordinator& coordinator, const datasets::Generator& generator,
                                         const DataOptions& options) {
  datasets::GeneratorOptions generator_options;
  generator_options.train_examples = options.train.value_or(generator_options.train_examples);
  generator_options.test_examples = options.test.value_or(generator_options.test_examples);
  generator_options.seed = options.seed.value_or(generator_options.seed);
  absl::StatusOr<datasets::Dataset> dataset = generator.generate(generator_options);
  if (!dataset.ok()) return dataset.status();
  const std::string origin = absl::StrCat("generated, ", generator_options.train_examples, "/",
                                          generator_options.test_examples, ", seed ", generator_options.seed);
  return PublishDataset(coordinator, {std::string(generator.name), origin, *std::move(dataset)},
                        ExistingName::kReplace);
}

absl::Status NotImported(const std::string& name) {
  if (const datasets::Importer* importer = datasets::FindImporter(name)) {
    return absl::NotFoundError(absl::StrCat("data set ", name, " is not here; import it with: roar data import ", name,
                                            " PATH (", std::string(importer->path_description), ")"));
  }
  std::vector<std::string_view> known;
  for (const auto& importer : datasets::Importers()) known.push_back(importer.name);
  for (const auto& generator : datasets::Generators()) known.push_back(generator.name);
  const auto nearest = NearestName(name, known);
  return absl::NotFoundError(absl::StrCat("data set \"", name, "\" is unknown; ",
                                          nearest ? absl::StrCat("did you mean ", *nearest, "? or ") : "",
                                          "import your own with: roar data import ", name, " PATH"));
}

absl::StatusOr<v1::DatasetInfo> LookUp(const Coordinator& coordinator, const std::string& name) {
  v1::GetDatasetRequest request;
  request.set_name(name);
  auto response = coordinator.Call<v1::DatasetService>(&v1::DatasetService::Stub::GetDataset, request);
  if (absl::IsNotFound(response.status())) return NotImported(name);
  if (!response.ok()) return response.status();
  return response->dataset();
}

}  // namespace

absl::StatusOr<v1::DatasetInfo> PublishDataset(const Coordinator& coordinator, const NamedDataset& dataset,
                                               ExistingName existing) {
  const datasets::CanonicalDataset content = datasets::Encode(dataset.dataset);
  if (absl::Status size = datasets::CheckSize(content); !size.ok()) return size;
  if (absl::Status status = Upload(coordinator, content); !status.ok()) return status;
  v1::RegisterDatasetRequest request;
  *request.mutable_dataset() = Describe(dataset, content);
  request.set_replace(existing == ExistingName::kReplace);
  request.set_request_id(NewRequestId());
  const auto response = coordinator.Call<v1::DatasetService>(&v1::DatasetService::Stub::RegisterDataset, request);
  if (!response.ok()) return response.status();
  return request.dataset();
}

absl::Status ResolveDatasets(const Coordinator& coordinator, SweepFile& file) {
  for (SweepDataset& dataset : file.spec.datasets) {
    const datasets::Generator* generator = datasets::FindGenerator(dataset.name);
    const absl::StatusOr<v1::DatasetInfo> info = generator != nullptr
                                                     ? Generate(coordinator, *generator, file.data[dataset.name])
                                                     : LookUp(coordinator, dataset.name);
    if (!info.ok()) return info.status();
    dataset.reference.content_sha256 = info->content_sha256();
  }
  return absl::OkStatus();
}

}  // namespace roar
