#include "client/commands/commands.h"
#include "client/commands/fetch_results.h"
#include "client/output/report.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "RACU, the relative area between a measure's curve and the random one: 100 % names at once all that the "
    "model relies on, 0 is no better than random, below 0 is worse; clipped to [-100, 100]. Mean over seeds with "
    "its 95 % interval; seeds without a value are listed with the reason.";

absl::StatusOr<ExitCode> Racu(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<v1::GetResultsResponse> results = FetchResults(context, selector);
  if (!results.ok()) return results.status();
  context.output.Result(output::RacuTable(*results),
                        {{"sweep", output::SweepHeadJson(results->sweep())}, {"racu", output::RacuJson(*results)}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return Racu(context, *sweep); };
}

}  // namespace

Command RacuCommand() {
  return {.name = "racu",
          .summary = "Print the faithfulness of a sweep's measures",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kResults,
          .examples = {{"roar racu", "the newest sweep"}, {"roar racu babi-1 --json", ""}},
          .related = {"curves", "results"},
          .schemas = {"racu"}};
}

}  // namespace roar
