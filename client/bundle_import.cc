#include "client/bundle_import.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bundle_check.h"
#include "client/bundle_file.h"
#include "client/output/json.h"
#include "client/upload.h"
#include "core/experiment/names.h"
#include "datasets/generators/generators.h"
#include "proto/roar/v1/bundle_service.grpc.pb.h"
#include "proto/roar/v1/dataset_service.grpc.pb.h"

namespace roar {
namespace {

constexpr int kBatchJobs = 256;
constexpr std::size_t kBatchBytes = 1'000'000;

const v1::SplitMetrics* TestMetrics(const v1::JobResult& result) {
  const auto& metrics = result.train().metrics();
  const auto found = std::ranges::find(metrics, Name(Split::kTest), [](const auto& of) { return of.split(); });
  return found == metrics.end() ? nullptr : &*found;
}

// The shortest text that reads as exactly that number, or "none" for a metric that is absent.
std::string ValueOf(const v1::SplitMetrics& metrics, const google::protobuf::FieldDescriptor* field) {
  const google::protobuf::Reflection& reflection = *metrics.GetReflection();
  if (field->has_presence() && !reflection.HasField(metrics, field)) return "none";
  return output::Json(reflection.GetDouble(metrics, field)).dump();
}

// Whichever metrics there are, so that a new one is told too.
std::string DifferenceOf(const v1::JobResult& here, const v1::JobResult& there) {
  if (here.has_explain()) return "another ranking";
  const v1::SplitMetrics* ours = TestMetrics(here);
  const v1::SplitMetrics* theirs = TestMetrics(there);
  if (ours == nullptr || theirs == nullptr) return "other splits";
  std::vector<std::string> differences;
  for (int i = 0; i < ours->GetDescriptor()->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = ours->GetDescriptor()->field(i);
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE) continue;
    const std::string value = ValueOf(*ours, field), other = ValueOf(*theirs, field);
    if (value == other) continue;
    differences.push_back(absl::StrCat("test ", field->name(), " ", value, " here, ", other, " in the bundle"));
  }
  return differences.empty() ? "the same test metrics, but another checkpoint" : absl::StrJoin(differences, "; ");
}

absl::Status UploadArtifacts(const Coordinator& coordinator, const std::filesystem::path& path) {
  return ReadBundle(
      path, {.header = [](const auto&) { return absl::OkStatus(); },
             .job = [](const auto&) { return absl::OkStatus(); },
             .artifact = [&](const ArtifactName& name,
                             const std::filesystem::path& file) { return UploadFile(coordinator, name, file); }});
}

class Importer {
 public:
  Importer(const Coordinator& coordinator, const std::vector<v1::BundledJob>& jobs) : coordinator_(coordinator) {
    for (const v1::BundledJob& job : jobs) jobs_[job.key()] = &job;
  }

  absl::Status Import(const v1::BundledJob& job) {
    const std::size_t bytes = job.ByteSizeLong();
    if (request_.jobs_size() == kBatchJobs || bytes_ + bytes > kBatchBytes) {
      if (absl::Status sent = Flush(); !sent.ok()) return sent;
    }
    *request_.add_jobs() = job;
    bytes_ += bytes;
    return absl::OkStatus();
  }

  absl::Status Flush() {
    request_.set_request_id(NewRequestId());
    const auto response = coordinator_.Call<v1::BundleService>(&v1::BundleService::Stub::ImportJobs, request_);
    if (!response.ok()) return response.status();
    imported_.new_results += response->new_jobs();
    imported_.known_results += response->known_jobs();
    for (const v1::ImportConflict& conflict : response->conflicts()) {
      const auto job = jobs_.find(conflict.key());
      if (job == jobs_.end()) {
        return absl::InternalError(absl::StrCat("the coordinator told of a conflict over job ", conflict.key(),
                                                ", which the bundle does not hold"));
      }
      const std::string difference =
          conflict.has_kept() ? DifferenceOf(conflict.kept(), job->second->result()) : conflict.reason();
      imported_.conflicts.push_back({conflict.key(), conflict.description(), difference});
    }
    request_.Clear();
    bytes_ = 0;
    return absl::OkStatus();
  }

  ImportedBundle Take() { return std::move(imported_); }

 private:
  const Coordinator& coordinator_;
  std::map<std::string, const v1::BundledJob*> jobs_;
  v1::ImportJobsRequest request_;
  std::size_t bytes_ = 0;
  ImportedBundle imported_;
};

// Generated data sets are made when a sweep is submitted.
absl::StatusOr<std::vector<std::string>> NotesOnDatasets(const Coordinator& coordinator,
                                                         const v1::BundleHeader& header) {
  const auto here = coordinator.List<v1::DatasetService>(
      &v1::DatasetService::Stub::ListDatasets, v1::ListDatasetsRequest(), &v1::ListDatasetsResponse::datasets);
  if (!here.ok()) return here.status();
  std::vector<std::string> notes;
  for (const v1::SweepDataset& dataset : header.datasets()) {
    if (datasets::FindGenerator(dataset.name()) != nullptr) continue;
    const auto found = std::ranges::find(*here, dataset.name(), [](const auto& info) { return info.name(); });
    if (found == here->end()) {
      notes.push_back(absl::StrCat("data set ", dataset.name(),
                                   " is not here; import it before a sweep is submitted: roar data import ",
                                   dataset.name(), " PATH"));
    } else if (found->content_sha256() != dataset.reference().content_sha256()) {
      notes.push_back(absl::StrCat("data set ", dataset.name(),
                                   " stands for other content here than in the bundle, so that a sweep on it will use "
                                   "none of these results"));
    }
  }
  return notes;
}

}  // namespace

absl::StatusOr<BundleContent> CheckBundle(const std::filesystem::path& path) {
  BundleContent content;
  BundleCheck check;
  const absl::Status status =
      ReadBundle(path, {.header =
                            [&](const v1::BundleHeader& header) {
                              content.header = header;
                              return absl::OkStatus();
                            },
                        .job =
                            [&](const v1::BundledJob& job) {
                              content.jobs.push_back(job);
                              return check.Add(job);
                            },
                        .artifact = [&](const ArtifactName& name, const auto&) { return check.Add(name); }});
  if (!status.ok()) return status;
  if (absl::Status finished = check.Finish(); !finished.ok()) {
    return absl::DataLossError(absl::StrCat(path.string(), " is damaged, nothing of it was taken: ",
                                            std::string(finished.message()), "; copy or export it again"));
  }
  return content;
}

absl::StatusOr<ImportedBundle> ImportBundle(const Coordinator& coordinator, const std::filesystem::path& path,
                                            const BundleContent& content) {
  if (absl::Status uploaded = UploadArtifacts(coordinator, path); !uploaded.ok()) return uploaded;
  Importer importer(coordinator, content.jobs);
  for (const v1::BundledJob& job : content.jobs) {
    if (absl::Status sent = importer.Import(job); !sent.ok()) return sent;
  }
  if (absl::Status sent = importer.Flush(); !sent.ok()) return sent;
  ImportedBundle imported = importer.Take();
  absl::StatusOr<std::vector<std::string>> notes = NotesOnDatasets(coordinator, content.header);
  if (!notes.ok()) return notes.status();
  imported.dataset_notes = *std::move(notes);
  return imported;
}

}  // namespace roar
