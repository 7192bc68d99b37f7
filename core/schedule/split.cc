#include <algorithm>
#include <vector>

#include "core/schedule/decide.h"

namespace roar::schedule {
namespace {

// A job that was leased before is left whole: its result may still come.
bool MaySplit(const JobRecord* record) {
  const auto* explain = std::get_if<ExplainSpec>(&record->job.spec);
  return explain != nullptr && IsWorthSplitting(explain->settings.measure) && record->shards.empty() &&
         record->last_epoch == 0;
}

}  // namespace

void SplitForIdleSlots(Decision& decision, std::int64_t free) {
  std::vector<const JobRecord*> ready = decision.FirstReady(static_cast<std::size_t>(free));
  if (std::ssize(ready) == free) return;
  const auto whole = std::stable_partition(ready.begin(), ready.end(), MaySplit);
  free -= ready.end() - whole;
  for (auto next = ready.begin(); next != whole; ++next) {
    const std::int64_t count = std::min<std::int64_t>(free / (whole - next), decision.before().options.shards_most);
    free -= count;
    if (count > 1) decision.Split(**next, count);
  }
}

}  // namespace roar::schedule
