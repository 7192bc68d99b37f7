#include "core/schedule/decision.h"

#include <algorithm>
#include <utility>

#include "core/experiment/job_key.h"

namespace roar::schedule {
namespace {

// Attempts after which a failure of the kind is final; nothing when it is retried for ever.
std::optional<int> AttemptsMost(const SchedulerOptions& options, FailureKind kind) {
  switch (kind) {
    case FailureKind::kWorkerLost:
    case FailureKind::kPreempted:
      return std::nullopt;
    case FailureKind::kOutOfMemory:
      return options.out_of_memory_attempts_most;
    case FailureKind::kRunnerCrashed:
      return options.runner_crash_attempts_most;
    case FailureKind::kDeterministic:
      return options.deterministic_attempts_most;
  }
  return std::nullopt;
}

absl::Duration Backoff(const SchedulerOptions& options, int failures) {
  absl::Duration wait = options.retry_backoff;
  for (int i = 1; i < failures && wait < options.retry_backoff_longest; ++i) wait *= 2;
  return std::min(wait, options.retry_backoff_longest);
}

}  // namespace

const JobRecord* Decision::Find(const JobKey& key) const {
  auto found = state_.jobs.find(key);
  if (found != state_.jobs.end()) return &found->second;
  auto added = added_.find(key);
  return added == added_.end() ? nullptr : &added->second;
}

const JobState& Decision::StateOf(const JobKey& key) const {
  auto moved = moved_.find(key);
  return moved != moved_.end() ? moved->second.state : Find(key)->state;
}

bool Decision::HasSucceeded(const JobKey& key) const { return std::holds_alternative<Succeeded>(StateOf(key)); }

std::optional<SucceededJob> Decision::FindSucceeded(const JobKey& key) const {
  const JobRecord* record = Find(key);
  if (record == nullptr) return std::nullopt;
  const auto* succeeded = std::get_if<Succeeded>(&StateOf(key));
  if (succeeded == nullptr) return std::nullopt;
  return SucceededJob{&record->job.spec, &succeeded->output_sha256};
}

std::vector<JobKey> Decision::HeldBy(const std::string& worker) const {
  std::vector<JobKey> held;
  for (const JobKey& key : state_.index.HeldBy(worker)) {
    if (LeaseOf(StateOf(key)) != nullptr) held.push_back(key);
  }
  return held;
}

void Decision::Move(const JobRecord& record, JobState state) {
  ChangeState draft = DraftOf(record);
  draft.state = std::move(state);
  const bool ends = IsFinished(KindOf(draft.state));
  Put(record, std::move(draft));
  if (!ends) return;
  for (const JobKey& shard : record.shards) {
    if (!IsFinished(KindOf(StateOf(shard)))) Move(*Find(shard), Canceled{});
  }
}

void Decision::PlanAgain(const JobRecord& record) {
  for (const JobKey& shard : record.shards) {
    if (!HasSucceeded(shard)) PlanAgain(*Find(shard));
  }
  ChangeState draft = DraftOf(record);
  draft.failures.clear();
  draft.state = AwaitedSucceeded(record) ? JobState(Ready{}) : JobState(Pending{});
  Put(record, std::move(draft));
}

void Decision::FailAttempt(const JobRecord& record, const Failed& failure) {
  ChangeState draft = DraftOf(record);
  const int failures = ++draft.failures[failure.kind];
  const std::optional<int> most = AttemptsMost(state_.options, failure.kind);
  if (most.has_value() && failures >= *most) {
    draft.state = failure;
    Put(record, std::move(draft));
    const JobRecord& whole = WholeOf(state_, record);
    if (&whole != &record) Move(whole, failure);
    Abort(whole);
  } else {
    draft.state = Ready{now_ + Backoff(state_.options, failures)};
    Put(record, std::move(draft));
  }
}

void Decision::GiveBack(const JobRecord& record, FailureKind kind) {
  ChangeState draft = DraftOf(record);
  ++draft.failures[kind];
  draft.state = Ready{};
  Put(record, std::move(draft));
}

void Decision::Succeed(const JobRecord& record, Succeeded result) {
  Move(record, std::move(result));
  for (const JobKey& key : record.dependents) {
    const JobRecord& dependent = state_.jobs.at(key);
    if (std::holds_alternative<Pending>(StateOf(key)) && AwaitedSucceeded(dependent)) Move(dependent, Ready{});
  }
}

std::vector<const JobRecord*> Decision::FirstReady(std::size_t most) const {
  std::vector<const JobRecord*> first;
  auto before = state_.index.ready().begin();
  auto made = made_ready_.begin();
  while (first.size() < most) {
    while (before != state_.index.ready().end() && moved_.contains(before->second)) ++before;
    const bool no_before = before == state_.index.ready().end();
    if (no_before && made == made_ready_.end()) break;
    const bool is_made = no_before || (made != made_ready_.end() && made->first < before->first);
    first.push_back(Find((is_made ? made++ : before++)->second));
  }
  return first;
}

void Decision::Split(const JobRecord& record, std::int64_t count) {
  SplitJob split{record.job.key};
  for (Shard shard{.count = count}; shard.index < count; ++shard.index) {
    const ExplainShardSpec spec{record.job.key, shard};
    JobRecord added{{KeyOf(spec), spec, record.job.inputs}, Ready{}};
    added.dependents = {record.job.key};
    added.longest_chain = record.longest_chain + 1;
    added.plan_order = state_.next_plan_order + static_cast<std::int64_t>(added_.size());
    changes_.push_back(AddJob{added.job, added.state});
    made_ready_.emplace(RankOf(added), added.job.key);
    split.shards.push_back(added.job.key);
    added_.emplace(added.job.key, std::move(added));
  }
  changes_.push_back(std::move(split));
  Move(record, Pending{});
}

void Decision::EndBackoffs() {
  for (const auto& [not_before, key] : state_.index.backoffs()) {
    if (not_before > now_) break;
    if (moved_.contains(key)) continue;
    changes_.push_back(EndBackoff{key});
    made_ready_.emplace(RankOf(state_.jobs.at(key)), key);
  }
}

bool Decision::GrantNext(const std::string& worker, const std::string& incarnation) {
  const JobKey* key = FirstReadyBefore();
  if (!made_ready_.empty()) {
    const auto& [rank, made_ready] = *made_ready_.begin();
    if (key == nullptr || rank < (*next_ready_)->first) key = &made_ready;
  }
  if (key == nullptr) return false;
  const JobRecord& record = *Find(*key);
  ChangeState draft = DraftOf(record);
  draft.last_epoch += 1;
  draft.state = Leased{{worker, incarnation, draft.last_epoch, now_ + state_.options.lease_ttl}};
  Put(record, std::move(draft));
  return true;
}

ChangeState Decision::DraftOf(const JobRecord& record) const {
  auto moved = moved_.find(record.job.key);
  if (moved != moved_.end()) return moved->second;
  return {record.job.key, record.state, record.last_epoch, record.failures};
}

void Decision::Put(const JobRecord& record, ChangeState draft) {
  const auto* ready = std::get_if<Ready>(&draft.state);
  if (ready != nullptr && ready->not_before <= now_) {
    made_ready_.emplace(RankOf(record), record.job.key);
  } else {
    made_ready_.erase(RankOf(record));
  }
  changes_.push_back(draft);
  moved_[record.job.key] = std::move(draft);
}

void Decision::Abort(const JobRecord& failed) {
  std::vector<const JobRecord*> pending_below = {&failed};
  while (!pending_below.empty()) {
    const JobRecord* record = pending_below.back();
    pending_below.pop_back();
    for (const JobKey& key : record->dependents) {
      if (IsFinished(KindOf(StateOf(key)))) continue;
      const JobRecord& dependent = state_.jobs.at(key);
      Move(dependent, Aborted{failed.job.key.hex()});
      pending_below.push_back(&dependent);
    }
  }
}

const JobKey* Decision::FirstReadyBefore() {
  const ReadyQueue& queue = state_.index.ready();
  if (!next_ready_.has_value()) next_ready_ = queue.begin();
  while (*next_ready_ != queue.end() && moved_.contains((*next_ready_)->second)) ++*next_ready_;
  return *next_ready_ == queue.end() ? nullptr : &(*next_ready_)->second;
}

bool Decision::AwaitedSucceeded(const JobRecord& record) const {
  return AllAwaited(record, [this](const JobKey& key) { return HasSucceeded(key); });
}

}  // namespace roar::schedule
