#include "core/schedule/state.h"

#include <algorithm>
#include <variant>

namespace roar::schedule {

const JobRecord& WholeOf(const State& state, const JobRecord& record) {
  const auto* shard = std::get_if<ExplainShardSpec>(&record.job.spec);
  return shard == nullptr ? record : state.jobs.at(shard->explanation);
}

bool IsNeeded(const State& state, const JobRecord& record, std::optional<std::int64_t> except) {
  return std::ranges::any_of(WholeOf(state, record).sweeps, [&](std::int64_t sweep_id) {
    return sweep_id != except && !state.canceled_sweeps.contains(sweep_id);
  });
}

void RaiseChainsAbove(State& state, const JobRecord& record) {
  std::vector<const JobRecord*> raised = {&record};
  while (!raised.empty()) {
    const JobRecord* below = raised.back();
    raised.pop_back();
    ForEachAwaited(*below, [&](const JobKey& key) {
      JobRecord& awaited = state.jobs.at(key);
      if (awaited.longest_chain > below->longest_chain) return;
      state.index.Erase(awaited);
      awaited.longest_chain = below->longest_chain + 1;
      state.index.Insert(awaited);
      raised.push_back(&awaited);
    });
  }
}

}  // namespace roar::schedule
