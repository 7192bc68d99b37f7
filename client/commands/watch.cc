#include "client/commands/commands.h"
#include "client/commands/following.h"
#include "client/sweep_selector.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Shows progress until the sweep is finished: bars on a terminal, elsewhere a line per change. Ctrl-C ends "
    "the watching, not the sweep.";

absl::StatusOr<ExitCode> Watch(const CommandContext& context, const std::string& selector) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, selector);
  if (!id.ok()) return id.status();
  const auto finished = FollowSweep(context, *id, {.connect = [&] { return Connect(context); }});
  if (absl::IsCancelled(finished.status())) {
    SayHowToComeBack(context, *id);
    return ExitCode::kDetached;
  }
  if (!finished.ok()) return finished.status();
  if (context.output.is_json()) context.output.Print(output::Dump(output::SweepJson(*finished)));
  return OutcomeOf(*finished);
}

CommandAct Define(CLI::App& app) {
  auto sweep = AddSweepArgument(app);
  return [sweep](const CommandContext& context) { return Watch(context, *sweep); };
}

}  // namespace

Command WatchCommand() {
  return {.name = "watch",
          .summary = "Watch a sweep until it is finished",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kSweeps,
          .examples = {{"roar watch", "the newest sweep"}, {"roar watch 3", ""}},
          .related = {"wait", "show", "results"},
          .exit_codes = {{ExitCode::kFinishedWithFailures, "the sweep is finished, and not everything succeeded"},
                         {ExitCode::kDetached, "Ctrl-C; the sweep goes on"}},
          .schemas = {"sweep"}};
}

}  // namespace roar
