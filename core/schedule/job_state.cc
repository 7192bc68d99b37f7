#include "core/schedule/job_state.h"

#include <array>
#include <cstddef>
#include <initializer_list>

namespace roar::schedule {
namespace {

// The position of a name in its table is the value of its enum.
constexpr std::array<std::string_view, 5> kPhaseNames = {"staging", "training", "evaluating", "explaining",
                                                         "uploading"};
constexpr std::array<std::string_view, 5> kFailureKindNames = {"worker_lost", "preempted", "out_of_memory",
                                                               "runner_crashed", "deterministic"};
constexpr std::array<std::string_view, 8> kJobStateNames = {"pending",   "ready",  "leased",   "running",
                                                            "succeeded", "failed", "canceled", "aborted"};

template <typename Enum, std::size_t N>
std::optional<Enum> FromName(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

constexpr unsigned SetOf(std::initializer_list<JobStateKind> kinds) {
  unsigned set = 0;
  for (JobStateKind kind : kinds) set |= 1u << static_cast<unsigned>(kind);
  return set;
}

// By state, in the order of JobStateKind: the states that may follow.
constexpr std::array<unsigned, 8> MovesFrom() {
  using enum JobStateKind;
  constexpr unsigned asked_again = SetOf({kPending, kReady});
  return {SetOf({kReady, kSucceeded, kFailed, kCanceled, kAborted}),
          SetOf({kPending, kLeased, kSucceeded, kCanceled, kAborted}),
          SetOf({kReady, kRunning, kSucceeded, kFailed, kCanceled, kAborted}),
          SetOf({kReady, kSucceeded, kFailed, kCanceled, kAborted}),
          SetOf({}),
          asked_again,
          asked_again,
          asked_again};
}

}  // namespace

std::string_view Name(Phase phase) { return kPhaseNames[static_cast<std::size_t>(phase)]; }
std::string_view Name(FailureKind kind) { return kFailureKindNames[static_cast<std::size_t>(kind)]; }
std::string_view Name(JobStateKind kind) { return kJobStateNames[static_cast<std::size_t>(kind)]; }

std::optional<Phase> PhaseFromName(std::string_view name) { return FromName<Phase>(kPhaseNames, name); }
std::optional<FailureKind> FailureKindFromName(std::string_view name) {
  return FromName<FailureKind>(kFailureKindNames, name);
}
std::optional<JobStateKind> JobStateKindFromName(std::string_view name) {
  return FromName<JobStateKind>(kJobStateNames, name);
}

JobStateKind KindOf(const JobState& state) { return static_cast<JobStateKind>(state.index()); }

const Lease* LeaseOf(const JobState& state) {
  if (const auto* leased = std::get_if<Leased>(&state)) return &leased->lease;
  if (const auto* running = std::get_if<Running>(&state)) return &running->lease;
  return nullptr;
}

bool IsFinished(JobStateKind kind) { return kind >= JobStateKind::kSucceeded; }

bool MayMove(JobStateKind from, JobStateKind to) {
  static constexpr auto kMoves = MovesFrom();
  return (kMoves[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1u) != 0;
}

}  // namespace roar::schedule
