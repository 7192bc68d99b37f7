#include "server/rpc/job_rpc.h"

#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "server/rpc/job_view.h"
#include "server/rpc/page.h"

namespace roar::server {
namespace {

constexpr std::size_t kShortestPrefix = 6;

absl::StatusOr<const schedule::JobRecord*> FindJob(const ServiceState& state, const std::string& prefix) {
  if (prefix.size() < kShortestPrefix) {
    return absl::InvalidArgumentError(absl::StrCat("give at least ", kShortestPrefix, " digits of the job's key"));
  }
  const auto found = state.scheduler().jobs().lower_bound(JobKey(prefix));
  if (found == state.scheduler().jobs().end() || !absl::StartsWith(found->first.hex(), prefix)) {
    return absl::NotFoundError(absl::StrCat("no job ", prefix));
  }
  const auto next = std::next(found);
  if (next != state.scheduler().jobs().end() && absl::StartsWith(next->first.hex(), prefix)) {
    return absl::InvalidArgumentError(absl::StrCat("several jobs begin with ", prefix, ": give more digits"));
  }
  return &found->second;
}

}  // namespace

grpc::Status JobRpc::ListJobs(grpc::ServerContext* context, const v1::ListJobsRequest* request,
                              v1::ListJobsResponse* response) {
  return gate_.Serve(*context, "ListJobs", [&]() -> absl::Status {
    const absl::StatusOr<std::int64_t> first = NumberOfToken(request->page_token(), 0);
    if (!first.ok()) return first.status();
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      const auto sweep = state.scheduler().sweeps().find(request->sweep_id());
      if (sweep == state.scheduler().sweeps().end()) {
        return absl::NotFoundError(absl::StrCat("no sweep ", request->sweep_id()));
      }
      const auto count = static_cast<std::int64_t>(sweep->second.size());
      if (*first < 0 || *first > count) return absl::InvalidArgumentError("page_token is not one of this list's");
      const std::int64_t end = std::min(*first + PageSize(request->page_size()), count);
      for (std::int64_t i = *first; i < end; ++i) {
        const schedule::AddSweep::Member& member = sweep->second[static_cast<std::size_t>(i)];
        v1::JobInfo& job = *response->add_jobs();
        job = Summarize(state, state.scheduler().jobs().at(member.key));
        if (member.cached) job.set_state("CACHED");
        for (const JobKey& shard : state.scheduler().jobs().at(member.key).shards) {
          *response->add_jobs() = Summarize(state, state.scheduler().jobs().at(shard));
        }
      }
      if (end < count) response->set_next_page_token(absl::StrCat(end));
      return absl::OkStatus();
    });
  });
}

grpc::Status JobRpc::GetJob(grpc::ServerContext* context, const v1::GetJobRequest* request,
                            v1::GetJobResponse* response) {
  return gate_.Serve(*context, "GetJob", [&] {
    return coordinator_.Do([&](ServiceState& state) -> absl::Status {
      const absl::StatusOr<const schedule::JobRecord*> record = FindJob(state, request->key());
      if (!record.ok()) return record.status();
      v1::JobInfo& job = *response->mutable_job();
      job = Summarize(state, **record);
      *job.mutable_spec() = ToProto((*record)->job.spec);
      if (const std::optional<JobResult> result = state.Result((*record)->job.key)) {
        *job.mutable_result() = ToProto(*result);
      }
      return absl::OkStatus();
    });
  });
}

}  // namespace roar::server
