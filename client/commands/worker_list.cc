#include "client/commands/commands.h"
#include "client/output/report.h"
#include "proto/roar/v1/worker_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] = "Who works for the coordinator, on what, and when each was last heard of.";

absl::StatusOr<ExitCode> List(const CommandContext& context) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const auto workers = coordinator->List<v1::WorkerService>(
      &v1::WorkerService::Stub::ListWorkers, v1::ListWorkersRequest(), &v1::ListWorkersResponse::workers);
  if (!workers.ok()) return workers.status();
  output::Json list = output::Json::array();
  for (const v1::WorkerInfo& worker : *workers) list.push_back(output::WorkerJson(worker));
  context.output.Result(output::WorkerTable(*workers), {{"workers", std::move(list)}});
  return ExitCode::kOk;
}

}  // namespace

Command WorkerListCommand() {
  return {.group = "worker",
          .name = "list",
          .summary = "List workers",
          .details = kDetails,
          .define = [](CLI::App&) -> CommandAct { return List; },
          .topic = Topic::kJobs,
          .examples = {{"roar worker list", ""}, {"roar worker list --json", ""}},
          .related = {"job list", "server info"},
          .schemas = {"workers"}};
}

}  // namespace roar
