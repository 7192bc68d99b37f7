#include "server/rpc/sweep_rpc.h"

#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/sweep/assemble.h"
#include "proto/convert.h"
#include "proto/roar/v1/rich_error.pb.h"
#include "server/rpc/page.h"
#include "server/rpc/sweep_view.h"

namespace roar::server {
namespace {

constexpr auto kWatchInterval = std::chrono::milliseconds(250);

absl::Status NoSweep(std::int64_t id) { return absl::NotFoundError(absl::StrCat("no sweep ", id)); }

// Every problem, as the field violations of a google.rpc.BadRequest.
absl::Status InvalidSweep(const std::vector<SweepProblem>& problems) {
  absl::Status status = absl::InvalidArgumentError(
      absl::StrCat("the sweep has ", problems.size(), " problem", problems.size() == 1 ? "" : "s",
                   "; the first: ", problems[0].field_path, ": ", problems[0].message));
  v1::BadRequest details;
  for (const SweepProblem& problem : problems) {
    v1::BadRequest::FieldViolation& violation = *details.add_field_violations();
    violation.set_field(problem.field_path);
    violation.set_description(problem.message);
  }
  status.SetPayload("type.googleapis.com/google.rpc.BadRequest", absl::Cord(details.SerializeAsString()));
  return status;
}

absl::StatusOr<SweepSpec> ReadSpec(const v1::SweepSpec& message) {
  absl::StatusOr<SweepSpec> spec = FromProto(message);
  if (!spec.ok()) return InvalidSweep({{"", std::string(spec.status().message())}});
  if (const std::vector<SweepProblem> problems = Validate(*spec); !problems.empty()) return InvalidSweep(problems);
  return spec;
}

std::map<JobKey, TrainResult> TrainResultsOf(ServiceState& state, const SweepRecord& sweep) {
  std::map<JobKey, TrainResult> results;
  for (const schedule::AddSweep::Member& member : state.scheduler().sweeps().at(sweep.stored.id)) {
    if (KindOf(state.scheduler().jobs().at(member.key).job.spec) != JobKind::kTrain) continue;
    std::optional<JobResult> result = state.Result(member.key);
    if (result.has_value()) results.emplace(member.key, std::get<TrainResult>(std::move(result->outcome)));
  }
  return results;
}

}  // namespace

grpc::Status SweepRpc::SubmitSweep(grpc::ServerContext* context, const v1::SubmitSweepRequest* request,
                                   v1::SubmitSweepResponse* response) {
  return gate_.Serve(*context, "SubmitSweep", [&]() -> absl::Status {
    const absl::StatusOr<SweepSpec> spec = ReadSpec(request->spec());
    if (!spec.ok()) return spec.status();
    return Mutate(coordinator_, *request, *response,
                  [&](ServiceState& state, v1::SubmitSweepResponse& reply) -> absl::Status {
                    const absl::StatusOr<SubmittedSweep> submitted = state.SubmitSweep(*spec);
                    if (!submitted.ok()) return submitted.status();
                    reply.set_sweep_id(submitted->id);
                    reply.set_resumed(submitted->resumed);
                    reply.set_jobs_total(submitted->jobs_total);
                    reply.set_jobs_cached(submitted->jobs_cached);
                    return absl::OkStatus();
                  });
  });
}

grpc::Status SweepRpc::ListSweeps(grpc::ServerContext* context, const v1::ListSweepsRequest* request,
                                  v1::ListSweepsResponse* response) {
  return gate_.Serve(*context, "ListSweeps", [&]() -> absl::Status {
    const absl::StatusOr<std::int64_t> below = NumberOfToken(request->page_token(), INT64_MAX);
    if (!below.ok()) return below.status();
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      auto next = std::make_reverse_iterator(state.sweeps().lower_bound(*below));
      for (; next != state.sweeps().rend() && response->sweeps_size() < PageSize(request->page_size()); ++next) {
        *response->add_sweeps() = Summarize(state, next->second);
      }
      if (next != state.sweeps().rend()) response->set_next_page_token(absl::StrCat(next->first + 1));
      return absl::OkStatus();
    });
  });
}

grpc::Status SweepRpc::GetSweep(grpc::ServerContext* context, const v1::GetSweepRequest* request,
                                v1::GetSweepResponse* response) {
  return gate_.Serve(*context, "GetSweep", [&] {
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      const auto sweep = state.sweeps().find(request->sweep_id());
      if (sweep == state.sweeps().end()) return NoSweep(request->sweep_id());
      *response->mutable_sweep() = Detail(state, sweep->second);
      return absl::OkStatus();
    });
  });
}

grpc::Status SweepRpc::WatchSweep(grpc::ServerContext* context, const v1::WatchSweepRequest* request,
                                  grpc::ServerWriter<v1::WatchSweepResponse>* writer) {
  return gate_.Serve(*context, "WatchSweep", [&] { return Watch(*context, request->sweep_id(), *writer); });
}

absl::Status SweepRpc::Watch(grpc::ServerContext& context, std::int64_t sweep_id,
                             grpc::ServerWriter<v1::WatchSweepResponse>& writer) {
  std::pair<std::int64_t, std::int64_t> seen;
  while (!context.IsCancelled()) {
    if (stopping_) return absl::AbortedError("the coordinator was stopped");
    v1::WatchSweepResponse response;
    bool finished = false;
    const absl::Status status = coordinator_.Do([&](ServiceState& state) -> absl::Status {
      const auto sweep = state.sweeps().find(sweep_id);
      if (sweep == state.sweeps().end()) return NoSweep(sweep_id);
      finished = sweep->second.stored.finished_unix_seconds != 0;
      const std::pair now{sweep->second.version, state.WorkersTakingJobs()};
      if (std::exchange(seen, now) == now) return absl::OkStatus();
      *response.mutable_sweep() = Detail(state, sweep->second);
      return absl::OkStatus();
    });
    if (stopping_) continue;
    if (!status.ok()) return status;
    if (response.has_sweep() && !writer.Write(response)) break;
    if (finished) return absl::OkStatus();
    std::this_thread::sleep_for(kWatchInterval);
  }
  return absl::CancelledError("the watcher went away");
}

grpc::Status SweepRpc::CancelSweep(grpc::ServerContext* context, const v1::CancelSweepRequest* request,
                                   v1::CancelSweepResponse* response) {
  return gate_.Serve(*context, "CancelSweep", [&] {
    return Mutate(coordinator_, *request, *response,
                  [&](ServiceState& state, v1::CancelSweepResponse& reply) -> absl::Status {
                    const absl::StatusOr<std::int64_t> canceled = state.CancelSweep(request->sweep_id());
                    if (!canceled.ok()) return canceled.status();
                    reply.set_jobs_canceled(*canceled);
                    return absl::OkStatus();
                  });
  });
}

grpc::Status SweepRpc::GetResults(grpc::ServerContext* context, const v1::GetResultsRequest* request,
                                  v1::GetResultsResponse* response) {
  return gate_.Serve(*context, "GetResults", [&] { return AssembleResults(request->sweep_id(), *response); });
}

// The coordinator's thread only reads; the intervals, which take long for many seeds, are computed on the caller's.
absl::Status SweepRpc::AssembleResults(std::int64_t sweep_id, v1::GetResultsResponse& response) {
  std::map<JobKey, TrainResult> results;
  Plan plan;
  v1::SweepInfo info;
  const absl::Status status = coordinator_.Do([&](ServiceState& state) -> absl::Status {
    const auto sweep = state.sweeps().find(sweep_id);
    if (sweep == state.sweeps().end()) return NoSweep(sweep_id);
    if (sweep->second.IsOutdated()) {
      return absl::FailedPreconditionError(
          absl::StrCat("sweep ", sweep_id,
                       " was planned by another version of Roar, which computed its jobs in another way: submit "
                       "its file again"));
    }
    plan = sweep->second.plan;
    info = Detail(state, sweep->second);
    results = TrainResultsOf(state, sweep->second);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  response = ToProto(Assemble(plan, [&](const JobKey& key) {
    const auto found = results.find(key);
    return found == results.end() ? nullptr : &found->second;
  }));
  *response.mutable_sweep() = std::move(info);
  return absl::OkStatus();
}

}  // namespace roar::server
