#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/output/report.h"
#include "proto/roar/v1/job_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "What a job is, where it stands, what it waits for, why it failed, what it measured, and where its time went.";

absl::StatusOr<ExitCode> Show(const CommandContext& context, const std::string& key) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  v1::GetJobRequest request;
  request.set_key(key);
  const auto response = coordinator->Call<v1::JobService>(&v1::JobService::Stub::GetJob, request);
  if (absl::IsNotFound(response.status())) {
    return absl::NotFoundError(absl::StrCat("there is no job \"", key, "\"; see them with: roar job list"));
  }
  if (!response.ok()) return response.status();
  context.output.Result(output::JobReport(response->job()), output::JobJson(response->job()));
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto key = std::make_shared<std::string>();
  app.add_option("KEY", *key, "Key of the job, or its first digits (6 at least)")->required();
  return [key](const CommandContext& context) { return Show(context, *key); };
}

}  // namespace

Command JobShowCommand() {
  return {.group = "job",
          .name = "show",
          .summary = "Show a job",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kJobs,
          .examples = {{"roar job show 3f2a91bc", ""},
                       {"roar job show 3f2a91bc --json | jq .result.metrics", "what it measured"}},
          .related = {"job list"},
          .schemas = {"job"}};
}

}  // namespace roar
