#include "client/commands/commands.h"
#include "client/output/report.h"
#include "client/sweep_selector.h"
#include "proto/roar/v1/sweep_service.grpc.pb.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Cells with their points, running jobs, and what failed with its reason.\n\n"
    "Examples:\n  roar show\n  roar show 3\n  roar show babi-1 --json";

absl::StatusOr<ExitCode> Show(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  v1::GetSweepRequest request;
  request.set_sweep_id(*id);
  const auto response = coordinator->Call<v1::SweepService>(&v1::SweepService::Stub::GetSweep, request);
  if (!response.ok()) return response.status();
  context.output.Result(output::SweepReport(response->sweep()), output::SweepJson(response->sweep()));
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return Show(context, *sweep); };
}

}  // namespace

Command ShowCommand() { return {"", "show", "Show where a sweep stands", kDetails, Define}; }

}  // namespace roar
