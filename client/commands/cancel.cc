#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/sweep_selector.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Cancels the jobs that are not finished, also those running, unless another sweep needs them. What is "
    "finished stays. Submit the file again to go on.";

absl::StatusOr<ExitCode> Cancel(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  v1::CancelSweepRequest request;
  request.set_sweep_id(*id);
  request.set_request_id(NewRequestId());
  const auto response = coordinator->Call<v1::SweepService>(&v1::SweepService::Stub::CancelSweep, request);
  if (!response.ok()) return response.status();
  context.output.Result(absl::StrCat("sweep ", *id, ": ", response->jobs_canceled(), " jobs canceled\n"),
                        {{"sweep_id", *id}, {"jobs_canceled", response->jobs_canceled()}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return Cancel(context, *sweep); };
}

}  // namespace

Command CancelCommand() {
  return {.name = "cancel",
          .summary = "Cancel what is left of a sweep",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kSweeps,
          .examples = {{"roar cancel", "the newest sweep"}, {"roar cancel 3", ""}},
          .related = {"submit", "show"},
          .schemas = {"cancellation"}};
}

}  // namespace roar
