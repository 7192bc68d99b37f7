#include "server/rpc/bundle_rpc.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/experiment/job_key.h"
#include "core/schedule/result_check.h"
#include "proto/convert.h"
#include "server/rpc/job_view.h"

namespace roar::server {
namespace {

constexpr int kMostJobs = 256;
constexpr std::size_t kMostBytes = 1 << 20;

bool HasSucceeded(const schedule::JobRecord& record) {
  return std::holds_alternative<schedule::Succeeded>(record.state);
}

// Whether a job of the sweep that has not succeeded reads the record's output.
bool IsStillRead(const ServiceState& state, const schedule::JobRecord& record, std::int64_t sweep_id) {
  return std::ranges::any_of(record.dependents, [&](const JobKey& key) {
    const schedule::JobRecord& dependent = state.scheduler().jobs().at(key);
    return dependent.sweeps.contains(sweep_id) && !HasSucceeded(dependent);
  });
}

// A job that is to be exported; its result is read later.
struct SucceededMember {
  JobKey key;
  bool is_still_read = false;
};

absl::StatusOr<std::vector<SucceededMember>> SucceededMembers(const ServiceState& state, std::int64_t sweep_id) {
  const auto sweep = state.scheduler().sweeps().find(sweep_id);
  if (sweep == state.scheduler().sweeps().end()) return absl::NotFoundError(absl::StrCat("no sweep ", sweep_id));
  std::vector<SucceededMember> members;
  for (const schedule::AddSweep::Member& member : sweep->second) {
    const schedule::JobRecord& record = state.scheduler().jobs().at(member.key);
    if (HasSucceeded(record)) members.push_back({member.key, IsStillRead(state, record, sweep_id)});
  }
  return members;
}

std::vector<v1::ExportedJob> ReadJobs(ServiceState& state, std::span<const SucceededMember> members) {
  std::vector<v1::ExportedJob> jobs;
  for (const SucceededMember& member : members) {
    v1::ExportedJob& job = jobs.emplace_back();
    job.mutable_job()->set_key(member.key.hex());
    *job.mutable_job()->mutable_spec() = ToProto(state.scheduler().jobs().at(member.key).job.spec);
    *job.mutable_job()->mutable_result() = ToProto(state.Result(member.key).value());
    job.set_is_still_read(member.is_still_read);
  }
  return jobs;
}

// At most kMostJobs.
absl::Status Send(const std::vector<v1::ExportedJob>& jobs, grpc::ServerWriter<v1::ExportJobsResponse>& writer) {
  // What the length of an item adds to it.
  constexpr std::size_t kOverheadBytes = 8;
  v1::ExportJobsResponse response;
  std::size_t bytes = 0;
  for (const v1::ExportedJob& job : jobs) {
    const std::size_t job_bytes = job.ByteSizeLong() + kOverheadBytes;
    if (bytes + job_bytes > kMostBytes) {
      if (!writer.Write(response)) return absl::CancelledError("the reader went away");
      response.clear_jobs();
      bytes = 0;
    }
    *response.add_jobs() = job;
    bytes += job_bytes;
  }
  if (response.jobs().empty() || writer.Write(response)) return absl::OkStatus();
  return absl::CancelledError("the reader went away");
}

struct FinishedJob {
  JobSpec spec;
  JobResult result;
};

absl::StatusOr<FinishedJob> ReadJob(const v1::BundledJob& message) {
  absl::StatusOr<JobSpec> spec = FromProto(message.spec());
  if (!spec.ok()) return spec.status();
  absl::StatusOr<JobResult> result = FromProto(message.result());
  if (!result.ok()) return result.status();
  if (KeyOf(*spec).hex() != message.key()) return absl::InvalidArgumentError("the key is not that of the spec");
  if (auto reason = schedule::WhyIncomplete(*result)) return absl::InvalidArgumentError(*reason);
  return FinishedJob{*std::move(spec), *std::move(result)};
}

absl::Status OfJob(const v1::BundledJob& job, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("job ", job.key(), ": ", std::string(status.message())));
}

void Report(const ServiceState& state, const v1::BundledJob& job, const ImportedResult& imported,
            v1::ImportJobsResponse& response) {
  switch (imported.verdict) {
    case ImportedResult::Verdict::kNew:
      response.set_new_jobs(response.new_jobs() + 1);
      return;
    case ImportedResult::Verdict::kKnown:
      response.set_known_jobs(response.known_jobs() + 1);
      return;
    case ImportedResult::Verdict::kConflict:
      break;
  }
  v1::ImportConflict& conflict = *response.add_conflicts();
  conflict.set_key(job.key());
  const auto record = state.scheduler().jobs().find(JobKey(job.key()));
  if (record != state.scheduler().jobs().end()) conflict.set_description(DescribeJob(state, record->second));
  if (imported.kept.has_value()) *conflict.mutable_kept() = ToProto(*imported.kept);
  conflict.set_reason(imported.reason);
}

}  // namespace

grpc::Status BundleRpc::ExportJobs(grpc::ServerContext* context, const v1::ExportJobsRequest* request,
                                   grpc::ServerWriter<v1::ExportJobsResponse>* writer) {
  return gate_.Serve(*context, "ExportJobs", [&] { return Export(request->sweep_id(), *writer); });
}

// What has succeeded once stays so, so that other calls may have their turn between the pages.
absl::Status BundleRpc::Export(std::int64_t sweep_id, grpc::ServerWriter<v1::ExportJobsResponse>& writer) {
  const absl::StatusOr<std::vector<SucceededMember>> members =
      coordinator_.Do([&](ServiceState& state) { return SucceededMembers(state, sweep_id); });
  if (!members.ok()) return members.status();
  for (std::span<const SucceededMember> left = *members; !left.empty();) {
    const std::span<const SucceededMember> page = left.first(std::min<std::size_t>(left.size(), kMostJobs));
    const auto jobs = coordinator_.Do(
        [&](ServiceState& state) -> absl::StatusOr<std::vector<v1::ExportedJob>> { return ReadJobs(state, page); });
    if (!jobs.ok()) return jobs.status();
    if (absl::Status sent = Send(*jobs, writer); !sent.ok()) return sent;
    left = left.subspan(page.size());
  }
  return absl::OkStatus();
}

grpc::Status BundleRpc::ImportJobs(grpc::ServerContext* context, const v1::ImportJobsRequest* request,
                                   v1::ImportJobsResponse* response) {
  return gate_.Serve(*context, "ImportJobs", [&] { return Import(*request, *response); });
}

// All that can be wrong with a call is found before anything of it is taken.
absl::Status BundleRpc::Import(const v1::ImportJobsRequest& request, v1::ImportJobsResponse& response) {
  if (request.jobs_size() > kMostJobs || request.ByteSizeLong() > kMostBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a call carries at most ", kMostJobs, " jobs and ", kMostBytes, " bytes"));
  }
  std::vector<FinishedJob> jobs;
  for (const v1::BundledJob& message : request.jobs()) {
    absl::StatusOr<FinishedJob> job = ReadJob(message);
    if (!job.ok()) return OfJob(message, job.status());
    const bool is_explained = std::holds_alternative<ExplainResult>(job->result.outcome);
    if (is_explained && !artifacts_.Has({ArtifactKind::kRanking, OutputSha256(job->result)})) {
      return OfJob(message, absl::FailedPreconditionError("its ranking is not here: upload it first"));
    }
    jobs.push_back(*std::move(job));
  }
  return Mutate(coordinator_, request, response,
                [&](ServiceState& state, v1::ImportJobsResponse& reply) -> absl::Status {
                  for (std::size_t i = 0; i < jobs.size(); ++i) {
                    const ImportedResult imported = state.Import(jobs[i].spec, jobs[i].result);
                    Report(state, request.jobs(static_cast<int>(i)), imported, reply);
                  }
                  return absl::OkStatus();
                });
}

}  // namespace roar::server
