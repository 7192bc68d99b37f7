#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/schedule/scheduler.h"
#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

constexpr int kChains = 5000;
constexpr int kLinks = 20;
constexpr int kWorkers = 200;

std::string Chain(int chain) {
  std::string text;
  for (int link = 0; link < kLinks; ++link) {
    text += (link == 0 ? "" : " -> ") + std::string(link % 2 == 0 ? "t" : "e") + std::to_string(chain) + "-" +
            std::to_string(link);
  }
  return text;
}

SubmitSweep LargeSweep() {
  SubmitSweep sweep{1};
  for (int chain = 0; chain < kChains; ++chain) {
    for (PlannedJob& job : Graph(Chain(chain))) sweep.jobs.push_back(std::move(job));
  }
  return sweep;
}

std::size_t AcceptedIn(const std::vector<Change>& changes) {
  std::size_t accepted = 0;
  for (const Change& change : changes) accepted += std::holds_alternative<AcceptResult>(change);
  return accepted;
}

TEST(Scale, ManyJobsAndWorkersRunToTheEnd) {
  Scheduler scheduler({}, absl::ZeroDuration());
  scheduler.Apply(scheduler.Decide(LargeSweep(), absl::ZeroDuration()).value());
  std::size_t accepted = 0;
  int rounds = 0;
  for (std::size_t before = 1; before != accepted || rounds < 2; ++rounds) {
    before = accepted;
    const Instant now = absl::Seconds(rounds);
    for (int i = 0; i < kWorkers; ++i) {
      Synchronize call{"w" + std::to_string(i), "a", 4};
      for (const DesiredJob& job : scheduler.DesiredJobs(call.worker, "a")) {
        call.finished.push_back({job.key, job.epoch, CorrectResult(scheduler.jobs().at(job.key).job)});
      }
      const auto changes = scheduler.Decide(call, now);
      accepted += AcceptedIn(*changes);
      scheduler.Apply(*changes);
    }
    scheduler.Apply(scheduler.Decide(Tick{}, now).value());
  }
  EXPECT_EQ(accepted, std::size_t{kChains} * kLinks);
  // Always full: each round ends as many jobs as there are slots, but for the last jobs of the last chains.
  EXPECT_LE(rounds, kChains * kLinks / (kWorkers * 4) + kLinks);
  EXPECT_EQ(scheduler.CheckInvariants(), absl::OkStatus());
}

}  // namespace
}  // namespace roar::schedule
