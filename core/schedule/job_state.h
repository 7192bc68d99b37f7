#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/time/time.h"
#include "core/experiment/job_result.h"

// The states of a job, each carrying only what is true in it.
//
//     PENDING (inputs missing) -> READY -> LEASED -> RUNNING -> SUCCEEDED | FAILED
//     LEASED -> SUCCEEDED | FAILED when it ended before the worker reported it running
//     READY -> SUCCEEDED when the result of a lease that ended comes late
//     READY -> PENDING when it is split: its shards are missing. PENDING -> FAILED when one of them fails for good
//     PENDING, READY, LEASED, RUNNING -> CANCELED (by a person) | ABORTED (an input failed)
//     LEASED, RUNNING -> READY when the worker is lost or gives it back, or after a failure that is retried
//     PENDING (split), READY, LEASED, RUNNING -> SUCCEEDED when a result is imported
//     FAILED, CANCELED, ABORTED -> PENDING | READY when a person asks again
//     SUCCEEDED -> READY never: a result is final.
// A sweep shows a job that had SUCCEEDED before the sweep was submitted as CACHED.

namespace roar::schedule {

// A moment on the coordinator's steady clock, as time since an arbitrary start. Never the wall clock.
using Instant = absl::Duration;

// Phases of a running job, in order; an `explain` job has no training, a `train` job no explaining.
enum class Phase { kStaging, kTraining, kEvaluating, kExplaining, kUploading };
std::string_view Name(Phase phase);
std::optional<Phase> PhaseFromName(std::string_view name);

// Why an attempt did not end in a result.
enum class FailureKind {
  kWorkerLost,     // lease ran out, or the worker's process ended: retried for ever, with back-off
  kPreempted,      // the worker gave the job back: retried for ever
  kOutOfMemory,    // once more
  kRunnerCrashed,  // the runner ended by itself (signal): retried up to five attempts
  kDeterministic,  // NaN loss, bad data: FAILED at the second time
};
std::string_view Name(FailureKind kind);
std::optional<FailureKind> FailureKindFromName(std::string_view name);

struct Lease {
  std::string worker;
  // Of this start of the worker's process; a lease belongs to one incarnation.
  std::string incarnation;
  // Grows with every lease of the job; a result with another epoch is not this lease's.
  std::int64_t epoch = 0;
  Instant expires;
};

struct Pending {};
struct Ready {
  // Not leased before this moment (back-off).
  Instant not_before = absl::ZeroDuration();
};
struct Leased {
  Lease lease;
};
struct Running {
  Lease lease;
  Phase phase = Phase::kStaging;
  // Of the whole job, in [0, 1].
  double progress = 0;
};
struct Succeeded {
  // Of the artifact that its dependents read.
  std::string output_sha256;
  // Of the lease whose result it is: the same report sent again changes nothing. 0 when it was imported.
  std::int64_t epoch = 0;
};
struct Failed {
  FailureKind kind = FailureKind::kDeterministic;
  std::string reason;
};
struct Canceled {};
struct Aborted {
  // The job whose failure is the cause.
  std::string cause_key;
};

using JobState = std::variant<Pending, Ready, Leased, Running, Succeeded, Failed, Canceled, Aborted>;

// The alternatives of JobState by name, in its order: what is stored, shown and counted.
enum class JobStateKind { kPending, kReady, kLeased, kRunning, kSucceeded, kFailed, kCanceled, kAborted };
JobStateKind KindOf(const JobState& state);
std::string_view Name(JobStateKind kind);
std::optional<JobStateKind> JobStateKindFromName(std::string_view name);

// The lease of a leased or running job, else nullptr.
const Lease* LeaseOf(const JobState& state);

// No further change but by a person.
bool IsFinished(JobStateKind kind);

// The transition table above.
bool MayMove(JobStateKind from, JobStateKind to);

}  // namespace roar::schedule
