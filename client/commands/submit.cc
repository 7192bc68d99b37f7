#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/sweep_submission.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Hands the sweep to the coordinator and returns at once; workers do the rest. Submitting an equal file again "
    "is the same sweep: what succeeded is kept, what failed or was canceled is tried again.";

absl::StatusOr<ExitCode> Submit(const CommandContext& context, const std::string& path) {
  absl::StatusOr<SweepFile> file = LoadSweepFile(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const auto submitted = SubmitSweep(*coordinator, *std::move(file), path);
  if (!submitted.ok()) return submitted.status();
  context.output.Result(absl::StrCat("sweep ", submitted->sweep_id(), submitted->resumed() ? ", resumed: " : ": ",
                                     submitted->jobs_total(), " jobs, ", submitted->jobs_cached(),
                                     " known already; follow it with: roar watch ", submitted->sweep_id(),
                                     context.repeated_options, "\n"),
                        {{"sweep_id", submitted->sweep_id()},
                         {"resumed", submitted->resumed()},
                         {"jobs_total", submitted->jobs_total()},
                         {"jobs_cached", submitted->jobs_cached()}});
  return ExitCode::kOk;
}

CommandAct Define(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  app.add_option("FILE", *path, "Sweep file")->required();
  return [path](const CommandContext& context) { return Submit(context, *path); };
}

}  // namespace

Command SubmitCommand() {
  return {.name = "submit",
          .summary = "Hand a sweep to the coordinator and return",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kSweeps,
          .examples = {{"roar submit sweep.yaml && roar wait && roar results", "in a script"},
                       {"roar submit sweep.yaml --access /shared/roar/access.json", "to a coordinator elsewhere"}},
          .related = {"run", "watch", "cancel"},
          .schemas = {"submission"}};
}

}  // namespace roar
