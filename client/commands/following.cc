#include "client/commands/following.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/interrupt.h"
#include "client/output/progress.h"

namespace roar {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);
constexpr absl::Duration kMostUnreachable = absl::Seconds(30);
// `server start` stops the coordinator that is there, then starts its own.
constexpr absl::Duration kMostStopped = absl::Seconds(5);

absl::Status CheckPatience(const CommandContext& context, const SweepFollower& follower, absl::Time deadline) {
  if (absl::Now() > deadline) return absl::DeadlineExceededError("the sweep has not finished in the time given");
  if (context.target.MayStart() && follower.StoppedFor() > kMostStopped) {
    return absl::UnavailableError(
        "the coordinator was stopped; what is done is kept, and the same command goes on with it");
  }
  if (!context.target.MayStart() && follower.DisconnectedFor() > kMostUnreachable) {
    return absl::UnavailableError("the coordinator cannot be reached any more; the sweep may go on without it");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::SweepInfo> FollowSweep(const CommandContext& context, std::int64_t sweep_id,
                                          const FollowOptions& options) {
  const InterruptGuard interrupt;
  const absl::Time deadline = absl::Now() + options.timeout;
  const bool shows_progress = options.shows_progress && !context.output.is_json();
  output::ProgressDisplay display(context.output.terminal(), options.without_worker);
  SweepFollower follower(sweep_id,
                         [&](bool was_stopped) { return was_stopped ? Join(context.target) : options.connect(); });
  while (!interrupt.WasInterrupted()) {
    const absl::StatusOr<std::optional<v1::SweepInfo>> news = follower.Next(kTick);
    if (!news.ok()) return news.status();
    if (news->has_value()) {
      const v1::SweepInfo& sweep = **news;
      if (shows_progress) context.output.Print(display.Update(sweep));
      if (sweep.state() != v1::SWEEP_STATE_RUNNING) return sweep;
    }
    if (absl::Status status = options.tend(); !status.ok()) return status;
    if (absl::Status status = CheckPatience(context, follower, deadline); !status.ok()) return status;
  }
  return absl::CancelledError("interrupted");
}

ExitCode OutcomeOf(const v1::SweepInfo& sweep) {
  return sweep.state() == v1::SWEEP_STATE_SUCCEEDED ? ExitCode::kOk : ExitCode::kFinishedWithFailures;
}

void SayHowToComeBack(const CommandContext& context, std::int64_t sweep_id) {
  context.output.Note(absl::StrCat("detached; sweep ", sweep_id, " goes on. Come back with: roar watch ", sweep_id,
                                   context.repeated_options));
}

}  // namespace roar
