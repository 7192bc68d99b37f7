#include "client/bundle_export.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "client/bundle_file.h"
#include "client/temporary_file.h"
#include "proto/roar/v1/bundle_service.grpc.pb.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

// The results of a large sweep are read within the call.
constexpr absl::Duration kListTimeout = absl::Minutes(5);

absl::StatusOr<v1::BundleHeader> MakeHeader(const Coordinator& coordinator, std::int64_t sweep_id) {
  v1::GetSweepRequest request;
  request.set_sweep_id(sweep_id);
  const auto response = coordinator.Call<v1::SweepService>(&v1::SweepService::Stub::GetSweep, request);
  if (!response.ok()) return response.status();
  v1::BundleHeader header;
  header.set_sweep_name(response->sweep().name());
  *header.mutable_datasets() = response->sweep().spec().datasets();
  header.set_software(ROAR_VERSION);
  return header;
}

// An artifact to be written after the jobs, and the job that made it.
struct JobOutput {
  ArtifactName name;
  std::string job_key;
};

class Exporter {
 public:
  Exporter(const Coordinator& coordinator, BundleWriter& writer, CheckpointChoice checkpoints)
      : coordinator_(coordinator), writer_(writer), checkpoints_(checkpoints) {}

  absl::Status AddJobs(std::int64_t sweep_id) {
    const auto stub = v1::BundleService::NewStub(coordinator_.channel());
    grpc::ClientContext context;
    PrepareCall(context, coordinator_.access(), kListTimeout);
    v1::ExportJobsRequest request;
    request.set_sweep_id(sweep_id);
    const auto reader = stub->ExportJobs(&context, request);
    v1::ExportJobsResponse response;
    while (reader->Read(&response)) {
      v1::BundledJobs jobs;
      for (v1::ExportedJob& job : *response.mutable_jobs()) {
        NoteOutput(job);
        *jobs.add_jobs() = std::move(*job.mutable_job());
      }
      if (absl::Status added = writer_.Add(jobs); !added.ok()) {
        context.TryCancel();
        return added;
      }
    }
    const grpc::Status status = reader->Finish();
    return status.ok() ? absl::OkStatus() : coordinator_.Explain(status);
  }

  absl::Status AddArtifacts() {
    for (const JobOutput& output : outputs_) {
      const TemporaryFile file;
      const absl::Status fetched =
          DownloadArtifact(coordinator_.channel(), coordinator_.access(), output.name, file.path());
      const bool is_ranking = output.name.kind == v1::ARTIFACT_KIND_RANKING;
      if (absl::IsNotFound(fetched) && !is_ranking) {
        exported_.without_checkpoint.push_back(output.job_key);
        continue;
      }
      if (!fetched.ok()) return fetched;
      if (absl::Status check = CheckArtifact(output.name, file.path()); !check.ok()) return check;
      if (absl::Status added = writer_.Add(output.name, file.path()); !added.ok()) return added;
      ++(is_ranking ? exported_.rankings : exported_.checkpoints);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ExportedBundle> Finish() {
    const absl::StatusOr<std::int64_t> bytes = writer_.Finish();
    if (!bytes.ok()) return bytes.status();
    exported_.file_bytes = *bytes;
    return std::move(exported_);
  }

 private:
  void NoteOutput(const v1::ExportedJob& job) {
    const v1::JobResult& result = job.job().result();
    ++(result.has_train() ? exported_.trainings : exported_.explanations);
    if (result.has_explain()) {
      AddOutput({v1::ARTIFACT_KIND_RANKING, result.explain().ranking_sha256()}, job.job().key());
    } else if (job.is_still_read() || checkpoints_ == CheckpointChoice::kAll) {
      AddOutput({v1::ARTIFACT_KIND_CHECKPOINT, result.train().checkpoint_sha256()}, job.job().key());
    }
  }
  // Jobs of equal outputs share the artifact.
  void AddOutput(const ArtifactName& name, const std::string& job_key) {
    if (seen_.emplace(name.kind, name.sha256).second) outputs_.push_back({name, job_key});
  }

  const Coordinator& coordinator_;
  BundleWriter& writer_;
  const CheckpointChoice checkpoints_;
  ExportedBundle exported_;
  std::vector<JobOutput> outputs_;
  std::set<std::pair<v1::ArtifactKind, std::string>> seen_;
};

}  // namespace

absl::StatusOr<ExportedBundle> ExportBundle(const Coordinator& coordinator, std::int64_t sweep_id,
                                            const std::filesystem::path& path, CheckpointChoice checkpoints) {
  const absl::StatusOr<v1::BundleHeader> header = MakeHeader(coordinator, sweep_id);
  if (!header.ok()) return header.status();
  const absl::StatusOr<std::unique_ptr<BundleWriter>> writer = BundleWriter::Create(path);
  if (!writer.ok()) return writer.status();
  if (absl::Status added = (*writer)->Add(*header); !added.ok()) return added;
  Exporter exporter(coordinator, **writer, checkpoints);
  if (absl::Status added = exporter.AddJobs(sweep_id); !added.ok()) return added;
  if (absl::Status added = exporter.AddArtifacts(); !added.ok()) return added;
  return exporter.Finish();
}

}  // namespace roar
