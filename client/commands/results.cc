#include "client/commands/commands.h"
#include "client/commands/fetch_results.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Curves and RACU, as far as they are known: the sweep need not be finished. Tables are in percent, --json "
    "has fractions and the value of every seed.";

absl::StatusOr<ExitCode> Results(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<v1::GetResultsResponse> results = FetchResults(context, selector);
  if (!results.ok()) return results.status();
  PrintResults(context.output, *results);
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return Results(context, *sweep); };
}

}  // namespace

Command ResultsCommand() {
  return {.name = "results",
          .summary = "Print curves and RACU of a sweep",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kResults,
          .examples = {{"roar results", "the newest sweep"},
                       {"roar results 3 --json | jq '.racu[] | {measure, mean}'", "RACU of each measure for a script"}},
          .related = {"curves", "racu", "export"},
          .schemas = {"results"}};
}

}  // namespace roar
