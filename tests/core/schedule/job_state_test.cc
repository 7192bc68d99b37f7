#include "core/schedule/job_state.h"

#include <gtest/gtest.h>

#include <set>

namespace roar::schedule {
namespace {

constexpr int kStates = 8;

TEST(JobState, MovesExactlyAsInTheTable) {
  using enum JobStateKind;
  const std::set<std::pair<JobStateKind, JobStateKind>> legal = {
      {kPending, kReady},    {kPending, kCanceled}, {kPending, kAborted}, {kReady, kLeased},   {kReady, kSucceeded},
      {kReady, kCanceled},   {kReady, kAborted},    {kLeased, kRunning},  {kLeased, kReady},   {kLeased, kSucceeded},
      {kLeased, kFailed},    {kLeased, kCanceled},  {kLeased, kAborted},  {kRunning, kReady},  {kRunning, kSucceeded},
      {kRunning, kFailed},   {kRunning, kCanceled}, {kRunning, kAborted}, {kFailed, kPending}, {kFailed, kReady},
      {kCanceled, kPending}, {kCanceled, kReady},   {kAborted, kPending}, {kAborted, kReady},  {kPending, kSucceeded},
      {kPending, kFailed},   {kReady, kPending},
  };
  for (int from = 0; from < kStates; ++from) {
    for (int to = 0; to < kStates; ++to) {
      const auto f = static_cast<JobStateKind>(from);
      const auto t = static_cast<JobStateKind>(to);
      EXPECT_EQ(MayMove(f, t), legal.contains({f, t})) << Name(f) << " -> " << Name(t);
    }
  }
}

TEST(JobState, NamesAreReadBackAndDiffer) {
  std::set<std::string_view> names;
  for (int i = 0; i < kStates; ++i) {
    const auto kind = static_cast<JobStateKind>(i);
    EXPECT_EQ(JobStateKindFromName(Name(kind)), kind);
    names.insert(Name(kind));
  }
  EXPECT_EQ(names.size(), 8u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(PhaseFromName(Name(static_cast<Phase>(i))), static_cast<Phase>(i));
    EXPECT_EQ(FailureKindFromName(Name(static_cast<FailureKind>(i))), static_cast<FailureKind>(i));
  }
  EXPECT_EQ(JobStateKindFromName("Ready"), std::nullopt);
  EXPECT_EQ(PhaseFromName(""), std::nullopt);
  EXPECT_EQ(FailureKindFromName("lost"), std::nullopt);
}

TEST(JobState, KindLeaseAndEndFollowTheAlternative) {
  const Lease lease{"w1", "a", 3, absl::Seconds(9)};
  const std::pair<JobState, JobStateKind> all[] = {
      {Pending{}, JobStateKind::kPending},     {Ready{}, JobStateKind::kReady},
      {Leased{lease}, JobStateKind::kLeased},  {Running{lease}, JobStateKind::kRunning},
      {Succeeded{}, JobStateKind::kSucceeded}, {Failed{}, JobStateKind::kFailed},
      {Canceled{}, JobStateKind::kCanceled},   {Aborted{}, JobStateKind::kAborted}};
  for (const auto& [state, kind] : all) {
    EXPECT_EQ(KindOf(state), kind);
    const bool holds = kind == JobStateKind::kLeased || kind == JobStateKind::kRunning;
    ASSERT_EQ(LeaseOf(state) != nullptr, holds) << Name(kind);
    EXPECT_EQ(holds ? LeaseOf(state)->epoch : 3, 3);
    EXPECT_EQ(IsFinished(kind), static_cast<int>(kind) >= 4) << Name(kind);
  }
}

}  // namespace
}  // namespace roar::schedule
