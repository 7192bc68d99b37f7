#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "client/commands/commands.h"
#include "client/commands/fetch_results.h"
#include "client/commands/following.h"
#include "client/local_worker.h"
#include "client/sweep_submission.h"

namespace roar {
namespace {

constexpr char kDetails[] =
    "Starts a coordinator and a worker on this machine unless they run already, submits the sweep, shows its "
    "progress and prints curves and RACU. Both programs are started again when they die.\n"
    "Running the same file again goes on where it was: what succeeded is kept. Ctrl-C detaches: the sweep goes "
    "on, and its programs leave when there is no more work.";

constexpr absl::Duration kStopGrace = absl::Seconds(10);

struct RunOptions {
  std::string file;
  int slots = 1;
};

// The coordinator of a run: joined, or started and left to leave when idle. Any thread.
class RunCoordinator {
 public:
  explicit RunCoordinator(const Target& target) : target_(target) {}

  absl::StatusOr<Coordinator> Connect() {
    absl::StatusOr<JoinedCoordinator> joined = JoinOrStart(target_);
    if (!joined.ok()) return joined.status();
    if (joined->started) {
      absl::MutexLock lock(&mutex_);
      if (child_) child_->Stop(absl::ZeroDuration());
      child_ = std::move(joined->started);
    }
    return joined->coordinator;
  }

 private:
  const Target& target_;
  absl::Mutex mutex_;
  std::optional<ChildProcess> child_ ABSL_GUARDED_BY(mutex_);
};

std::string Submitted(const v1::SubmitSweepResponse& response) {
  const std::string what = absl::StrCat("sweep ", response.sweep_id(), response.resumed() ? ", resumed: " : ": ",
                                        response.jobs_total(), " jobs");
  return response.jobs_cached() == 0 ? what : absl::StrCat(what, ", ", response.jobs_cached(), " known already");
}

// From submission to results, with what runs being tended.
absl::StatusOr<ExitCode> SubmitAndFollow(const CommandContext& context, const RunOptions& options,
                                         RunCoordinator& run_coordinator, LocalWorker& worker) {
  absl::StatusOr<SweepFile> file = LoadSweepFile(options.file);
  if (!file.ok()) return file.status();
  absl::StatusOr<Coordinator> coordinator = run_coordinator.Connect();
  if (!coordinator.ok()) return coordinator.status();
  const auto submitted = SubmitSweep(*coordinator, *std::move(file), options.file);
  if (!submitted.ok()) return submitted.status();
  context.output.Note(Submitted(*submitted));

  const auto finished = FollowSweep(context, submitted->sweep_id(),
                                    {.connect = [&] { return run_coordinator.Connect(); },
                                     .without_worker = "",
                                     .tend = [&] { return worker.KeepAlive(); }});
  if (absl::IsCancelled(finished.status())) {
    SayHowToComeBack(context, submitted->sweep_id());
    return ExitCode::kDetached;
  }
  if (!finished.ok()) return finished.status();
  coordinator = run_coordinator.Connect();
  if (!coordinator.ok()) return coordinator.status();
  const auto results = FetchResults(*coordinator, submitted->sweep_id());
  if (!results.ok()) return results.status();
  if (!context.output.is_json()) context.output.Print("\n");
  PrintResults(context.output, *results);
  return OutcomeOf(*finished);
}

absl::StatusOr<ExitCode> Run(const CommandContext& context, const RunOptions& options) {
  if (!context.target.MayStart()) {
    return absl::InvalidArgumentError("run works on this machine; for a coordinator elsewhere use: roar submit");
  }
  RunCoordinator coordinator(context.target);
  LocalWorker worker(context.target.state_folder, options.slots);
  absl::StatusOr<ExitCode> outcome = SubmitAndFollow(context, options, coordinator, worker);
  if (outcome.ok() && *outcome == ExitCode::kDetached) return outcome;
  // The coordinator stays for those who may have joined it meanwhile, and leaves when idle.
  worker.Stop(kStopGrace);
  return outcome;
}

CommandAct Define(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  options->slots = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  app.add_option("FILE", options->file, "Sweep file")->required();
  app.add_option("--slots", options->slots, "Jobs to run at the same time, a core each")
      ->type_name("N")
      ->default_str("one per core of this machine")
      ->check(CLI::Range(1, 1024));
  return [options](const CommandContext& context) { return Run(context, *options); };
}

}  // namespace

Command RunCommand() {
  return {.name = "run",
          .summary = "Run a sweep on this machine, from start to results",
          .details = kDetails,
          .define = Define,
          .topic = Topic::kSweeps,
          .examples = {{"roar run examples/quickstart.yaml", "a small sweep on generated data, in minutes"},
                       {"roar run examples/babi-1.yaml --slots 8 --state /scratch/me/roar",
                        "eight jobs at a time, kept in a folder of your own"},
                       {"roar run sweep.yaml --json > results.json", "the results for a script"}},
          .related = {"results", "watch", "submit"},
          .exit_codes = {{ExitCode::kFinishedWithFailures, "the sweep is finished, and not everything succeeded"},
                         {ExitCode::kUnreachable, "the coordinator was stopped meanwhile; run it again to go on"},
                         {ExitCode::kDetached, "detached by Ctrl-C; the sweep goes on"}},
          .schemas = {"results"}};
}

}  // namespace roar
