#include "server/rpc/job_view.h"

#include "absl/strings/str_cat.h"

namespace roar::server {
namespace {

// The first of the jobs by name, and how many more there are.
std::string DescribeJobs(const ServiceState& state, const std::vector<JobKey>& keys) {
  if (keys.empty()) return "other jobs";
  std::string text = DescribeJob(state, state.scheduler().jobs().at(keys[0]));
  if (keys.size() > 1) absl::StrAppend(&text, " and ", keys.size() - 1, " more");
  return text;
}

}  // namespace

std::string DescribeJob(const ServiceState& state, const schedule::JobRecord& record) {
  if (const auto* spec = std::get_if<ExplainShardSpec>(&record.job.spec)) {
    return absl::StrCat("shard ", spec->shard.index + 1, " of ", spec->shard.count, " of ",
                        DescribeJob(state, state.scheduler().WholeOf(record)));
  }
  if (!record.sweeps.empty()) {
    const SweepRecord& sweep = state.sweeps().at(*record.sweeps.begin());
    return sweep.labels.Describe(sweep.plan, record.job.key, record.job.spec);
  }
  return absl::StrCat(std::string(Name(KindOf(record.job.spec))), " ", record.job.key.Short());
}

std::string DescribeWait(const ServiceState& state, const JobKey& key) {
  using Kind = schedule::WaitReason::Kind;
  const schedule::WaitReason reason = state.scheduler().WhyWaiting(key, state.now());
  switch (reason.kind) {
    case Kind::kNotWaiting:
      return "";
    case Kind::kInputsMissing:
      return absl::StrCat("waits for ", DescribeJobs(state, reason.jobs));
    case Kind::kBackoff:
      return absl::StrCat("tries again in ", absl::FormatDuration(reason.remaining));
    case Kind::kNoFreeSlot:
      return "waits for a free slot: all workers are busy";
    case Kind::kNoWorker:
      return "waits for a worker: none is connected";
    case Kind::kFailed:
      return absl::StrCat("failed: ", reason.detail);
    case Kind::kCanceled:
      return "was canceled; submitting the sweep again plans it again";
    case Kind::kInputFailed:
      return absl::StrCat(DescribeJobs(state, reason.jobs), " failed",
                          reason.detail.empty() ? "" : absl::StrCat(": ", reason.detail));
  }
  return "";
}

v1::JobInfo Summarize(const ServiceState& state, const schedule::JobRecord& record) {
  v1::JobInfo info;
  info.set_key(record.job.key.hex());
  info.set_description(DescribeJob(state, record));
  info.set_state(std::string(Name(schedule::KindOf(record.state))));
  for (const JobKey& input : record.job.inputs) info.add_input_keys(input.hex());
  info.set_starts(record.last_epoch);
  if (const auto* failed = std::get_if<schedule::Failed>(&record.state)) {
    info.mutable_failure()->set_kind(std::string(Name(failed->kind)));
    info.mutable_failure()->set_reason(failed->reason);
  }
  info.set_waits_for(DescribeWait(state, record.job.key));
  return info;
}

}  // namespace roar::server
