#include "core/schedule/decide.h"
#include "core/schedule/result_check.h"

namespace roar::schedule {
namespace {

constexpr std::int64_t kNoLease = 0;

}  // namespace

absl::StatusOr<std::vector<Change>> DecideOn(const State& state, const ImportResult& event, Instant now) {
  Decision decision(state, now);
  const JobRecord* known = decision.Find(event.key);
  if (known != nullptr && std::holds_alternative<Succeeded>(known->state)) return std::vector<Change>();
  const absl::StatusOr<JobInputs> inputs =
      InputsOf(event.spec, [&](const JobKey& key) { return decision.FindSucceeded(key); });
  if (!inputs.ok()) return inputs.status();
  if (auto reason = WhyWrong(event.spec, *inputs, event.result)) return absl::FailedPreconditionError(*reason);

  const Succeeded succeeded{OutputSha256(event.result), kNoLease};
  const AcceptResult accepted{event.key, kNoLease, event.result};
  if (known == nullptr) {
    decision.Add(AddJob{{event.key, event.spec, inputs->keys}, succeeded});
    decision.Add(accepted);
    return decision.Take();
  }
  // Its inputs have succeeded, so that it is READY then.
  if (IsFinished(KindOf(known->state))) decision.PlanAgain(*known);
  decision.Add(accepted);
  decision.Succeed(*known, succeeded);
  return decision.Take();
}

}  // namespace roar::schedule
