#include "client/commands/commands.h"
#include "client/output/report.h"
#include "client/sweep_selector.h"
#include "proto/roar/v1/job_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Every job of a sweep in the order of its plan. A job that was known before the sweep was submitted is shown "
    "as cached.";

absl::StatusOr<ExitCode> List(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  v1::ListJobsRequest request;
  request.set_sweep_id(*id);
  const auto jobs =
      coordinator->List<v1::JobService>(&v1::JobService::Stub::ListJobs, request, &v1::ListJobsResponse::jobs);
  if (!jobs.ok()) return jobs.status();
  output::Json list = output::Json::array();
  for (const v1::JobInfo& job : *jobs) list.push_back(output::JobJson(job));
  context.output.Result(output::JobTable(*jobs), {{"sweep_id", *id}, {"jobs", std::move(list)}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return List(context, *sweep); };
}

}  // namespace

Command JobListCommand() {
  return {.group = "job",
          .name = "list",
          .summary = "List the jobs of a sweep",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kJobs,
          .examples = {{"roar job list", "the newest sweep"},
                       {"roar job list 3 --json | jq '.jobs[] | select(.state == \"failed\")'", "those that failed"}},
          .related = {"job show", "show"},
          .schemas = {"jobs"}};
}

}  // namespace roar
