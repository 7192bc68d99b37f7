#include "core/schedule/state.h"

#include <algorithm>

namespace roar::schedule {

bool IsNeeded(const State& state, const JobRecord& record, std::optional<std::int64_t> except) {
  return std::any_of(record.sweeps.begin(), record.sweeps.end(), [&](std::int64_t sweep_id) {
    return sweep_id != except && !state.canceled_sweeps.contains(sweep_id);
  });
}

void RaiseChainsAbove(State& state, const JobRecord& record) {
  std::vector<const JobRecord*> raised = {&record};
  while (!raised.empty()) {
    const JobRecord* below = raised.back();
    raised.pop_back();
    for (const JobKey& key : below->job.inputs) {
      JobRecord& input = state.jobs.at(key);
      if (input.longest_chain > below->longest_chain) continue;
      state.index.Erase(input);
      input.longest_chain = below->longest_chain + 1;
      state.index.Insert(input);
      raised.push_back(&input);
    }
  }
}

}  // namespace roar::schedule
