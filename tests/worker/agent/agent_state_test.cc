#include "worker/agent/agent_state.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace roar::agent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

using Lease = std::pair<std::string, std::int64_t>;

constexpr absl::Duration kTtl = absl::Seconds(60);

v1::SynchronizeResponse Response(const std::vector<Lease>& desired, const std::vector<std::string>& acknowledged = {}) {
  v1::SynchronizeResponse response;
  response.set_lease_ttl_milliseconds(absl::ToInt64Milliseconds(kTtl));
  for (const auto& [key, epoch] : desired) {
    v1::DesiredJob& job = *response.add_desired();
    job.set_key(key);
    job.set_lease_epoch(epoch);
  }
  for (const std::string& key : acknowledged) response.add_acknowledged_keys(key);
  return response;
}

v1::FinishedJob Result(const std::string& key) {
  v1::FinishedJob finished;
  finished.set_key(key);
  finished.mutable_result()->mutable_train()->set_checkpoint_sha256("c");
  return finished;
}

// Slots and keys, in order.
std::vector<std::pair<int, std::string>> Started(const Actions& actions) {
  std::vector<std::pair<int, std::string>> started;
  for (const StartJob& start : actions.start) started.emplace_back(start.slot, start.job.key());
  return started;
}

std::vector<int> Stopped(const Actions& actions) {
  std::vector<int> stopped;
  for (const StopJob& stop : actions.stop) stopped.push_back(stop.slot);
  return stopped;
}

v1::SynchronizeRequest Report(AgentState& state) {
  v1::SynchronizeRequest request;
  state.Report(std::vector<v1::RunningJob>(8), request);
  return request;
}

std::vector<Lease> Running(AgentState& state) {
  std::vector<Lease> leases;
  const v1::SynchronizeRequest request = Report(state);
  for (const v1::RunningJob& job : request.running()) leases.emplace_back(job.key(), job.lease_epoch());
  return leases;
}

std::vector<Lease> Finished(AgentState& state) {
  std::vector<Lease> leases;
  const v1::SynchronizeRequest request = Report(state);
  for (const v1::FinishedJob& job : request.finished()) leases.emplace_back(job.key(), job.lease_epoch());
  return leases;
}

// ---- Starting and stopping, as a table: what runs, what is desired, what follows ----

struct Step {
  const char* name;
  std::vector<Lease> before;
  std::vector<Lease> desired;
  std::vector<std::pair<int, std::string>> starts;
  std::vector<int> stops;
  std::vector<Lease> after;
};

class OnResponse : public testing::TestWithParam<Step> {};

TEST_P(OnResponse, StartsAndStops) {
  const Step& step = GetParam();
  AgentState state(2);
  state.OnResponse(Response(step.before), absl::Seconds(0));
  const Actions actions = state.OnResponse(Response(step.desired), absl::Seconds(10));
  EXPECT_EQ(Started(actions), step.starts);
  EXPECT_EQ(Stopped(actions), step.stops);
  EXPECT_EQ(Running(state), step.after);
}

INSTANTIATE_TEST_SUITE_P(
    AgentState, OnResponse,
    testing::Values(
        Step{"Nothing", {}, {}, {}, {}, {}}, Step{"Start", {}, {{"a", 1}}, {{0, "a"}}, {}, {{"a", 1}}},
        Step{"StartInTheOtherSlot", {{"a", 1}}, {{"a", 1}, {"b", 4}}, {{1, "b"}}, {}, {{"a", 1}, {"b", 4}}},
        Step{"NoMoreThanSlots", {}, {{"a", 1}, {"b", 1}, {"c", 1}}, {{0, "a"}, {1, "b"}}, {}, {{"a", 1}, {"b", 1}}},
        Step{"Continue", {{"a", 1}, {"b", 1}}, {{"b", 1}, {"a", 1}}, {}, {}, {{"a", 1}, {"b", 1}}},
        Step{"Stop", {{"a", 1}, {"b", 1}}, {{"b", 1}}, {}, {0}, {{"b", 1}}},
        Step{"ASlotThatStopsIsNotFree", {{"a", 1}, {"b", 1}}, {{"b", 1}, {"c", 1}}, {}, {0}, {{"b", 1}}},
        Step{"SameWorkUnderANewLease", {{"a", 1}}, {{"a", 2}}, {}, {}, {{"a", 2}}}),
    [](const auto& info) { return info.param.name; });

TEST(AgentState, AStoppedSlotIsUsedOnceItsRunnerHasEnded) {
  AgentState state(1);
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(0));
  EXPECT_THAT(Stopped(state.OnResponse(Response({{"b", 1}}), absl::Seconds(1))), ElementsAre(0));
  EXPECT_FALSE(state.HasFreeSlot());
  state.OnEnded(0, nullptr);
  EXPECT_TRUE(state.HasFreeSlot());
  EXPECT_THAT(Started(state.OnResponse(Response({{"b", 1}}), absl::Seconds(2))), ElementsAre(Pair(0, "b")));
}

// ---- Leases ----

TEST(AgentState, ALeaseCountsFromTheMomentTheCallWasSent) {
  AgentState state(2);
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(100));
  EXPECT_EQ(state.NextLeaseEnd(), absl::Seconds(160));
  EXPECT_THAT(Stopped(state.StopExpired(absl::Seconds(160) - absl::Nanoseconds(1))), IsEmpty());
  EXPECT_THAT(Stopped(state.StopExpired(absl::Seconds(160))), ElementsAre(0));
  EXPECT_THAT(Stopped(state.StopExpired(absl::Seconds(161))), IsEmpty()) << "a job is stopped once";
  EXPECT_THAT(Running(state), IsEmpty());
  EXPECT_EQ(state.NextLeaseEnd(), absl::InfiniteDuration());
}

TEST(AgentState, OnlyWhatIsDesiredIsRenewed) {
  AgentState state(2);
  state.OnResponse(Response({{"a", 1}, {"b", 1}}), absl::Seconds(0));
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(30));
  EXPECT_EQ(state.NextLeaseEnd(), absl::Seconds(90));
}

TEST(AgentState, AResultOfAnEndedLeaseIsForgotten) {
  AgentState state(1);
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(0));
  state.StopExpired(kTtl);
  const v1::FinishedJob result = Result("a");
  state.OnEnded(0, &result);
  EXPECT_THAT(Finished(state), IsEmpty());
  EXPECT_TRUE(state.AllFree());
}

// ---- Results ----

TEST(AgentState, AResultIsReportedUnderTheLeaseOfNowUntilAcknowledged) {
  AgentState state(1);
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(0));
  state.OnResponse(Response({{"a", 2}}), absl::Seconds(1));
  const v1::FinishedJob result = Result("a");
  state.OnEnded(0, &result);
  EXPECT_TRUE(state.HasUnreported());
  EXPECT_THAT(Finished(state), ElementsAre(Pair("a", 2)));
  EXPECT_FALSE(state.HasUnreported());
  EXPECT_THAT(Finished(state), ElementsAre(Pair("a", 2))) << "the call may have been lost";
  state.OnResponse(Response({}, {"a"}), absl::Seconds(2));
  EXPECT_THAT(Finished(state), IsEmpty());
}

TEST(AgentState, AFinishedJobIsNotStartedAgainByAResponseThatDidNotKnow) {
  AgentState state(1);
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(0));
  Report(state);
  const v1::FinishedJob result = Result("a");
  state.OnEnded(0, &result);
  EXPECT_THAT(Started(state.OnResponse(Response({{"a", 1}}), absl::Seconds(1))), IsEmpty());
  EXPECT_THAT(Started(state.OnResponse(Response({{"a", 2}}), absl::Seconds(2))), ElementsAre(Pair(0, "a")))
      << "another lease is another attempt";
}

TEST(AgentState, OnlyWhatTheCallReportedIsAcknowledged) {
  AgentState state(1);
  state.OnResponse(Response({{"a", 1}}), absl::Seconds(0));
  Report(state);
  const v1::FinishedJob result = Result("a");
  state.OnEnded(0, &result);
  state.OnResponse(Response({}, {"a"}), absl::Seconds(1));
  EXPECT_THAT(Finished(state), ElementsAre(Pair("a", 1)));
}

TEST(AgentState, ACallTakesAtMost64ResultsAndTheNextOneTheRest) {
  AgentState state(1);
  for (int i = 0; i < 100; ++i) {
    const std::string key = "job" + std::to_string(i);
    state.OnResponse(Response({{key, 1}}), absl::Seconds(i));
    const v1::FinishedJob result = Result(key);
    state.OnEnded(0, &result);
  }
  const std::vector<Lease> first = Finished(state);
  EXPECT_THAT(first, SizeIs(64));
  EXPECT_EQ(first.front().first, "job0");
  EXPECT_TRUE(state.HasUnreported());
  const std::vector<Lease> second = Finished(state);
  EXPECT_THAT(second, SizeIs(64));
  EXPECT_EQ(second.front().first, "job64") << "never reported ones come first";
  EXPECT_FALSE(state.HasUnreported());
}

TEST(AgentState, ProgressIsTheSlots) {
  AgentState state(2);
  state.OnResponse(Response({{"a", 1}, {"b", 1}}), absl::Seconds(0));
  state.OnEnded(0, nullptr);
  std::vector<v1::RunningJob> progress(2);
  progress[0].set_phase("training");
  progress[1].set_phase("uploading");
  progress[1].set_progress(0.5);
  v1::SynchronizeRequest request;
  state.Report(progress, request);
  ASSERT_EQ(request.running_size(), 1);
  EXPECT_EQ(request.running(0).key(), "b");
  EXPECT_EQ(request.running(0).phase(), "uploading");
  EXPECT_EQ(request.running(0).progress(), 0.5);
}

// ---- The end ----

TEST(AgentState, DrainingGivesBackWhatRunsAndStartsNothing) {
  AgentState state(2);
  state.OnResponse(Response({{"a", 3}}), absl::Seconds(0));
  EXPECT_THAT(Stopped(state.Drain("told to end")), ElementsAre(0));
  const v1::SynchronizeRequest request = Report(state);
  EXPECT_EQ(request.running_size(), 0);
  ASSERT_EQ(request.finished_size(), 1);
  EXPECT_EQ(request.finished(0).lease_epoch(), 3);
  EXPECT_EQ(request.finished(0).failure().kind(), "preempted");
  EXPECT_EQ(request.finished(0).failure().reason(), "told to end");
  EXPECT_THAT(Started(state.OnResponse(Response({{"b", 1}}), absl::Seconds(1))), IsEmpty());
  state.OnEnded(0, nullptr);
  EXPECT_TRUE(state.AllFree());
}

}  // namespace
}  // namespace roar::agent
