#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/experiment/job_result.h"
#include "core/experiment/job_spec.h"
#include "core/schedule/job_state.h"
#include "core/sweep/plan.h"

// What follows from an event. Changes of one decision are stored in one transaction and applied in their order.

namespace roar::schedule {

// Comes after the AddJob of its members.
struct AddSweep {
  std::int64_t sweep_id = 0;
  // In plan order. A job already SUCCEEDED at this moment is `cached` for this sweep.
  struct Member {
    JobKey key;
    bool cached = false;
  };
  std::vector<Member> members;
  // Never true in a decision: a sweep read back from storage may have been canceled.
  bool canceled = false;
};
// A person canceled the sweep, or asked for it again.
struct SetSweepCanceled {
  std::int64_t sweep_id = 0;
  bool canceled = false;
};
struct AddJob {
  PlannedJob job;
  JobState state;
};
// An `explain` job that was READY and never leased got shards. Comes after their AddJob and before its ChangeState to
// PENDING.
struct SplitJob {
  JobKey key;
  // By index.
  std::vector<JobKey> shards;
};
struct ChangeState {
  JobKey key;
  JobState state;
  // Counters after the change: leases ever granted (= the last epoch), and failed attempts by kind.
  std::int64_t last_epoch = 0;
  std::map<FailureKind, int> failures;
};
// A leased or running job's lease lives on, with what it reported (a leased job reported nothing). Kept in memory only:
// not worth a commit.
struct RenewLease {
  JobKey key;
  Phase phase = Phase::kStaging;
  double progress = 0;
  Instant expires;
};
// A READY job may be leased now. Kept in memory only.
struct EndBackoff {
  JobKey key;
};
// The result that becomes the job's; comes before its ChangeState to Succeeded, or after its AddJob. `late` when its
// lease had ended. Epoch 0: imported. Merged of shards, it lists what they read: the inputs of the job unsplit.
struct AcceptResult {
  JobKey key;
  std::int64_t epoch = 0;
  JobResult result;
  bool late = false;
};
// A result that was not taken: somebody finished first, the lease was another's, or it was made of other inputs.
struct SupersedeResult {
  JobKey key;
  std::int64_t epoch = 0;
  std::string reason;
};
struct SeeWorker {
  std::string worker;
  std::string incarnation;
  int slots = 0;
  bool draining = false;
  Instant seen;
};
// Not heard of for one TTL, so that its leases have ended too: forgotten.
struct ForgetWorker {
  std::string worker;
};

using Change = std::variant<AddSweep, SetSweepCanceled, AddJob, SplitJob, ChangeState, RenewLease, EndBackoff,
                            AcceptResult, SupersedeResult, SeeWorker, ForgetWorker>;

}  // namespace roar::schedule
