#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/schedule/scheduler.h"

namespace roar::schedule {
namespace {

std::string Text(const Failed& failed) { return absl::StrCat(std::string(Name(failed.kind)), ": ", failed.reason); }

// One answer for each state.
struct Explainer {
  const State& state;
  const JobRecord& record;
  Instant now;
  using Kind = WaitReason::Kind;

  WaitReason operator()(const Pending&) const {
    WaitReason reason{Kind::kInputsMissing};
    ForEachAwaited(record, [&](const JobKey& key) {
      if (!std::holds_alternative<Succeeded>(state.jobs.at(key).state)) reason.jobs.push_back(key);
    });
    return reason;
  }
  WaitReason operator()(const Ready& ready) const {
    if (ready.not_before > now) return {.kind = Kind::kBackoff, .remaining = ready.not_before - now};
    const auto takes_jobs = [](const auto& worker) { return !worker.second.draining && worker.second.slots > 0; };
    const auto has_free_slot = [&](const auto& worker) {
      return takes_jobs(worker) && static_cast<int>(state.index.HeldBy(worker.first).size()) < worker.second.slots;
    };
    if (std::any_of(state.workers.begin(), state.workers.end(), has_free_slot)) return {};
    const bool any = std::any_of(state.workers.begin(), state.workers.end(), takes_jobs);
    return {any ? Kind::kNoFreeSlot : Kind::kNoWorker};
  }
  WaitReason operator()(const Leased&) const { return {}; }
  WaitReason operator()(const Running&) const { return {}; }
  WaitReason operator()(const Succeeded&) const { return {}; }
  WaitReason operator()(const Failed& failed) const { return {.kind = Kind::kFailed, .detail = Text(failed)}; }
  WaitReason operator()(const Canceled&) const { return {Kind::kCanceled}; }
  WaitReason operator()(const Aborted& aborted) const {
    const JobKey cause(aborted.cause_key);
    WaitReason reason{Kind::kInputFailed, {cause}};
    // Planned again by somebody else, the cause may have failed no longer.
    const auto* failed = std::get_if<Failed>(&state.jobs.at(cause).state);
    if (failed != nullptr) reason.detail = Text(*failed);
    return reason;
  }
};

}  // namespace

WaitReason Scheduler::WhyWaiting(const JobKey& key, Instant now) const {
  auto found = state_.jobs.find(key);
  if (found == state_.jobs.end()) return {};
  return std::visit(Explainer{state_, found->second, now}, found->second.state);
}

}  // namespace roar::schedule
