#include "server/rpc/worker_rpc.h"

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/transport/channel.h"
#include "server/rpc/page.h"

namespace roar::server {
namespace {

constexpr int kMostResults = 64;
constexpr std::size_t kMostBytes = 1 << 20;
// Heartbeats in one lease's time.
constexpr int kCallsPerLease = 6;

absl::Status CheckRequest(const v1::SynchronizeRequest& request) {
  if (request.protocol_version() != kProtocolVersion) {
    return absl::FailedPreconditionError(absl::StrCat("the worker speaks protocol version ", request.protocol_version(),
                                                      ", this coordinator ", kProtocolVersion,
                                                      ": install the same release on both"));
  }
  if (request.finished_size() > kMostResults || request.ByteSizeLong() > kMostBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a call carries at most ", kMostResults, " results and ", kMostBytes, " bytes"));
  }
  if (request.slots() < 0) return absl::InvalidArgumentError("slots must not be negative");
  if (absl::Status status = CheckName("incarnation", request.incarnation()); !status.ok()) return status;
  return CheckName("worker", request.worker());
}

absl::StatusOr<schedule::RunningReport> ReadRunning(const v1::RunningJob& job) {
  if (absl::Status status = CheckSha256("running.key", job.key()); !status.ok()) return status;
  const std::optional<schedule::Phase> phase = schedule::PhaseFromName(job.phase());
  if (!phase.has_value()) return absl::InvalidArgumentError(absl::StrCat("unknown phase '", job.phase(), "'"));
  const double progress = job.progress() >= 0 && job.progress() <= 1 ? job.progress() : 0;
  return schedule::RunningReport{JobKey(job.key()), job.lease_epoch(), *phase, progress};
}

// A result that cannot be read is a failure of its job, not of the call, which carries others.
absl::StatusOr<schedule::FinishedReport> ReadFinished(const v1::FinishedJob& job) {
  if (absl::Status status = CheckSha256("finished.key", job.key()); !status.ok()) return status;
  schedule::FinishedReport report{JobKey(job.key()), job.lease_epoch(), schedule::FailureReport{}};
  if (job.has_result()) {
    absl::StatusOr<JobResult> result = FromProto(job.result());
    if (result.ok()) {
      report.outcome = *std::move(result);
    } else {
      report.outcome =
          schedule::FailureReport{schedule::FailureKind::kRunnerCrashed,
                                  absl::StrCat("unreadable result: ", std::string(result.status().message()))};
    }
    return report;
  }
  const std::optional<schedule::FailureKind> kind = schedule::FailureKindFromName(job.failure().kind());
  if (!kind.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("unknown kind of failure '", job.failure().kind(), "'"));
  }
  report.outcome = schedule::FailureReport{*kind, job.failure().reason()};
  return report;
}

absl::StatusOr<schedule::Synchronize> ReadReport(const v1::SynchronizeRequest& request) {
  if (absl::Status status = CheckRequest(request); !status.ok()) return status;
  schedule::Synchronize report{
      request.worker(), request.incarnation(), request.slots(), {}, {}, !request.drain_reason().empty()};
  for (const v1::RunningJob& job : request.running()) {
    absl::StatusOr<schedule::RunningReport> running = ReadRunning(job);
    if (!running.ok()) return running.status();
    report.running.push_back(*std::move(running));
  }
  for (const v1::FinishedJob& job : request.finished()) {
    absl::StatusOr<schedule::FinishedReport> finished = ReadFinished(job);
    if (!finished.ok()) return finished.status();
    report.finished.push_back(*std::move(finished));
  }
  return report;
}

}  // namespace

grpc::ServerUnaryReactor* WorkerRpc::Synchronize(grpc::CallbackServerContext* context,
                                                 const v1::SynchronizeRequest* request,
                                                 v1::SynchronizeResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  absl::Status status = gate_.Admit(*context, Gate::Caller::kWorker);
  absl::StatusOr<schedule::Synchronize> report;
  if (status.ok()) {
    report = ReadReport(*request);
    status = report.status();
  }
  if (!status.ok()) {
    reactor->Finish(gate_.Answer("Synchronize", status));
    return reactor;
  }
  coordinator_.Synchronize({*std::move(report),
                            {request->device_kind(), request->software_version()},
                            absl::Milliseconds(request->wait_milliseconds()),
                            [this, reactor, response](const absl::StatusOr<SynchronizeReply>& reply) {
                              if (reply.ok()) Pack(*reply, *response);
                              reactor->Finish(gate_.Answer("Synchronize", reply.status()));
                            }});
  return reactor;
}

void WorkerRpc::Pack(const SynchronizeReply& reply, v1::SynchronizeResponse& response) const {
  response.set_lease_ttl_milliseconds(absl::ToInt64Milliseconds(lease_ttl_));
  response.set_next_call_in_milliseconds(absl::ToInt64Milliseconds(lease_ttl_ / kCallsPerLease));
  for (const Assignment& assignment : reply.desired) {
    v1::DesiredJob& job = *response.add_desired();
    job.set_key(assignment.desired.key.hex());
    job.set_lease_epoch(assignment.desired.epoch);
    job.set_attempt(assignment.desired.attempt);
    *job.mutable_spec() = ToProto(assignment.spec);
    if (assignment.explained_train.has_value()) *job.mutable_explained_train() = ToProto(*assignment.explained_train);
    if (assignment.whole.has_value()) *job.mutable_whole() = ToProto(*assignment.whole);
    for (const InputHash& input : assignment.inputs) {
      v1::ArtifactInput& artifact = *job.add_inputs();
      artifact.set_role(input.role);
      artifact.set_sha256(input.sha256);
    }
  }
  for (const JobKey& key : reply.acknowledged) response.add_acknowledged_keys(key.hex());
}

grpc::Status WorkerRpc::ListWorkers(grpc::ServerContext* context, const v1::ListWorkersRequest* request,
                                    v1::ListWorkersResponse* response) {
  return gate_.Serve(*context, "ListWorkers", [&] {
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      const auto& workers = state.scheduler().workers();
      for (auto next = workers.upper_bound(request->page_token()); next != workers.end(); ++next) {
        if (response->workers_size() == PageSize(request->page_size())) {
          response->set_next_page_token(response->workers().rbegin()->name());
          break;
        }
        const auto& [name, record] = *next;
        v1::WorkerInfo& worker = *response->add_workers();
        worker.set_name(name);
        worker.set_slots(record.slots);
        worker.set_draining(record.draining);
        worker.set_seconds_since_seen(absl::ToInt64Seconds(state.now() - record.last_seen));
        for (const schedule::DesiredJob& job : state.scheduler().DesiredJobs(name, record.incarnation)) {
          worker.add_job_keys(job.key.hex());
        }
        worker.set_running_jobs(worker.job_keys_size());
        const auto device = state.devices().find(name);
        if (device == state.devices().end()) continue;
        worker.set_device_kind(device->second.device_kind);
        worker.set_software_version(device->second.software_version);
      }
      return absl::OkStatus();
    });
  });
}

}  // namespace roar::server
