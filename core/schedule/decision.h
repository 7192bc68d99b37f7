#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/job_spec.h"
#include "core/schedule/change.h"
#include "core/schedule/job_index.h"
#include "core/schedule/job_state.h"
#include "core/schedule/result_check.h"
#include "core/schedule/state.h"

namespace roar::schedule {

// One decision in the making: the changes so far, and the jobs as they would be after them. What a decision looks at
// and changes is few jobs, so it costs little however many there are.
class Decision {
 public:
  // The state outlives the decision and does not change meanwhile.
  Decision(const State& state, Instant now) : state_(state), now_(now) {}

  const State& before() const { return state_; }
  Instant now() const { return now_; }

  // The record as it was before the decision, or nullptr. A job of AddJob is unknown until it is applied, but for the
  // shards that Split() adds.
  const JobRecord* Find(const JobKey& key) const;
  // A known job after the changes so far. References last until the job's next move.
  const JobState& StateOf(const JobKey& key) const;
  bool HasSucceeded(const JobKey& key) const;
  // A known job that has succeeded after the changes so far. Lasts until its next move.
  std::optional<SucceededJob> FindSucceeded(const JobKey& key) const;
  // After the changes so far, and without a job granted.
  std::vector<JobKey> HeldBy(const std::string& worker) const;

  // A change that moves no job.
  void Add(Change change) { changes_.push_back(std::move(change)); }
  // A known job into the state, its counters kept. If that ends a split job, its unfinished shards become CANCELED.
  void Move(const JobRecord& record, JobState state);
  // A job that a person asks for again, with its shards: PENDING or READY, with its failures forgotten.
  void PlanAgain(const JobRecord& record);
  // The attempt has ended in the failure: READY again after a back-off, or FAILED and its dependents ABORTED. With a
  // shard, the job that it is one of becomes FAILED.
  void FailAttempt(const JobRecord& record, const Failed& failure);
  // The attempt has ended through nobody's fault: READY at once. It counts as a failed attempt of the kind.
  void GiveBack(const JobRecord& record, FailureKind kind);
  // SUCCEEDED; dependents whose last input this was become READY.
  void Succeed(const JobRecord& record, Succeeded result);

  // READY and free to be leased, in the order of the queue; of many, the first `most`.
  std::vector<const JobRecord*> FirstReady(std::size_t most) const;
  // A READY job that was never leased waits for new, READY shards.
  void Split(const JobRecord& record, std::int64_t count);

  // Ends every back-off that is over.
  void EndBackoffs();
  // Leases the next READY job, or does nothing when there is none.
  bool GrantNext(const std::string& worker, const std::string& incarnation);

  std::vector<Change> Take() { return std::move(changes_); }

 private:
  // The job's counters and state after the changes so far.
  ChangeState DraftOf(const JobRecord& record) const;
  void Put(const JobRecord& record, ChangeState draft);
  void Abort(const JobRecord& failed);
  const JobKey* FirstReadyBefore();
  bool AwaitedSucceeded(const JobRecord& record) const;

  const State& state_;
  const Instant now_;
  std::vector<Change> changes_;
  std::map<JobKey, ChangeState> moved_;
  // Shards, as they will be when applied.
  std::map<JobKey, JobRecord> added_;
  // READY through this decision and free to be leased.
  ReadyQueue made_ready_;
  // The first place of the queue before the decision that was not looked at yet.
  std::optional<ReadyQueue::const_iterator> next_ready_;
};

}  // namespace roar::schedule
