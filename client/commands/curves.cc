#include "client/commands/commands.h"
#include "client/commands/fetch_results.h"
#include "client/output/report.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "The test performance at every masking ratio: a row per ratio, a column per measure, mean over seeds with "
    "its 95 % interval. A faithful measure falls faster than random.";

absl::StatusOr<ExitCode> Curves(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<v1::GetResultsResponse> results = FetchResults(context, selector);
  if (!results.ok()) return results.status();
  context.output.Result(output::CurveTables(*results),
                        {{"sweep", output::SweepHeadJson(results->sweep())}, {"curves", output::CurvesJson(*results)}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return Curves(context, *sweep); };
}

}  // namespace

Command CurvesCommand() {
  return {.name = "curves",
          .summary = "Print the performance curves of a sweep",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kResults,
          .examples = {{"roar curves", "the newest sweep"}, {"roar curves babi-1 --json", ""}},
          .related = {"racu", "results"},
          .schemas = {"curves"}};
}

}  // namespace roar
