#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/commands/commands.h"
#include "client/commands/following.h"
#include "client/output/progress.h"
#include "client/sweep_selector.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "For scripts: silent until the sweep is finished, then one line. The exit code tells how it ended.";

struct WaitOptions {
  std::shared_ptr<std::string> sweep;
  double timeout_seconds = 0;
};

// CLI::PositiveNumber takes infinity, and refuses others by the largest number there is.
std::string WhyNoDuration(const std::string& text) {
  double seconds = 0;
  if (absl::SimpleAtod(text, &seconds) && std::isfinite(seconds) && seconds > 0) return "";
  return absl::StrCat("\"", text, "\" is no number of seconds above 0");
}

absl::StatusOr<ExitCode> Wait(const CommandContext& context, const WaitOptions& options) {
  const absl::StatusOr<Coordinator> coordinator = Connect(context);
  if (!coordinator.ok()) return coordinator.status();
  const absl::StatusOr<std::int64_t> id = FindSweep(*coordinator, *options.sweep);
  if (!id.ok()) return id.status();
  FollowOptions follow{.connect = [&] { return Connect(context); }, .shows_progress = false};
  if (options.timeout_seconds > 0) follow.timeout = absl::Seconds(options.timeout_seconds);
  const auto finished = FollowSweep(context, *id, follow);
  if (absl::IsCancelled(finished.status())) {
    SayHowToComeBack(context, *id);
    return ExitCode::kDetached;
  }
  if (!finished.ok()) return finished.status();
  context.output.Result(output::ProgressLine(*finished) + "\n", output::SweepJson(*finished));
  return OutcomeOf(*finished);
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<WaitOptions>();
  options->sweep = AddSweepArgument(app);
  app.add_option("--timeout", options->timeout_seconds, "Give up after so many seconds (exit code 5)")
      ->type_name("SECONDS")
      ->check(CLI::Validator(WhyNoDuration, ""));
  return [options](const CommandContext& context) { return Wait(context, *options); };
}

}  // namespace

Command WaitCommand() {
  return {.name = "wait",
          .summary = "Wait until a sweep is finished",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kSweeps,
          .examples = {{"roar wait && roar results", "results only when every job succeeded"},
                       {"roar wait 3 --timeout 3600", "an hour at most"}},
          .related = {"watch", "results"},
          .exit_codes = {{ExitCode::kFinishedWithFailures, "the sweep is finished, and not everything succeeded"},
                         {ExitCode::kTimeout, "the time is up; the sweep goes on"},
                         {ExitCode::kDetached, "Ctrl-C; the sweep goes on"}},
          .schemas = {"sweep"}};
}

}  // namespace roar
