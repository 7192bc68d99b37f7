#include "tests/support/scheduler_scenario.h"

namespace roar::schedule {
namespace {

// The job of that name in the graph, with the result that a correct worker has for it.
ImportResult ResultOf(const std::string& graph, const std::string& name) {
  for (PlannedJob& job : Graph(graph)) {
    if (job.key == JobKey(name)) return {job.key, job.spec, CorrectResult(job)};
  }
  return {};
}

const std::string kChain = "t0 -> e0 -> t1 -> e1";

TEST(Import, OfUnknownJobsIsFoundByASweepThatComesLater) {
  Scenario s;
  for (const char* job : {"t0", "e0", "t1"}) {
    EXPECT_EQ(s.Happen(ResultOf(kChain, job)), "new " + std::string(job) + " succeeded, " + job + " accepted #0");
  }
  EXPECT_EQ(s.Submit(1, kChain), "new e1 ready, sweep 1");
  EXPECT_TRUE(s.scheduler().sweeps().at(1)[2].cached);
  EXPECT_EQ(s.Sync({}), "e1 leased w1 #1, w1 seen");
  EXPECT_EQ(s.Sync({.done = {"e1"}}), "e1 accepted #1, e1 succeeded, w1 seen");
}

TEST(Import, CompletesWhatWaitsAndMakesItsDependentsReady) {
  Scenario s;
  s.Submit(1, kChain);
  EXPECT_EQ(s.Happen(ResultOf(kChain, "t0")), "t0 accepted #0, t0 succeeded, e0 ready");
  EXPECT_EQ(s.Happen(ResultOf(kChain, "e0")), "e0 accepted #0, e0 succeeded, t1 ready");
  EXPECT_EQ(s.Jobs(), "t0 succeeded, e0 succeeded, t1 ready, e1 pending");
}

TEST(Import, EndsALeaseWhoseResultIsThenSuperseded) {
  Scenario s;
  s.Submit(1, kChain);
  s.Sync({});
  s.Sync({.running = {"t0"}});
  EXPECT_EQ(s.Happen(ResultOf(kChain, "t0")), "t0 accepted #0, t0 succeeded, e0 ready");
  EXPECT_EQ(s.Desired("w1"), "") << "its worker is told to stop";
  EXPECT_EQ(s.Sync({.slots = 0, .done = {"t0#1"}}), "t0 superseded #1 (the job is already succeeded), w1 seen");
}

TEST(Import, EndsABackoff) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.Sync({.slots = 0, .failed = {"t0 runner_crashed"}});
  EXPECT_EQ(s.Happen(ResultOf("t0", "t0")), "t0 accepted #0, t0 succeeded");
  s.At(100);
  EXPECT_EQ(s.Sync({}), "w1 seen") << "there is nothing left to lease";
}

TEST(Import, OfAFailedOrCanceledJobIsAsIfSomebodyHadAskedAgain) {
  Scenario s({.deterministic_attempts_most = 1});
  s.Submit(1, "t0 -> e0; t9");
  s.Sync({});
  s.Sync({.slots = 0, .failed = {"t0 deterministic"}});
  EXPECT_EQ(s.Jobs(), "t0 failed, e0 aborted by t0, t9 ready");
  EXPECT_EQ(s.Happen(ResultOf("t0 -> e0", "t0")), "t0 ready, t0 accepted #0, t0 succeeded");
  EXPECT_EQ(s.Happen(ResultOf("t0 -> e0", "e0")), "e0 ready, e0 accepted #0, e0 succeeded");
  s.Cancel(1);
  EXPECT_EQ(s.Happen(ResultOf("t9", "t9")), "t9 ready, t9 accepted #0, t9 succeeded");
}

TEST(Import, NeverReplacesAResult) {
  Scenario s;
  s.Submit(1, "t0");
  s.Sync({});
  s.Sync({.done = {"t0"}});
  ImportResult other = ResultOf("t0", "t0");
  std::get<TrainResult>(other.result.outcome).checkpoint_sha256 = "another";
  EXPECT_EQ(s.Happen(other), "");
  EXPECT_EQ(s.Happen(ResultOf("t7", "t7")), "new t7 succeeded, t7 accepted #0");
  EXPECT_EQ(s.Happen(ResultOf("t7", "t7")), "") << "the same again";
}

TEST(Import, NeedsTheInputsThatTheResultWasMadeOf) {
  Scenario s;
  EXPECT_EQ(s.Happen(ResultOf(kChain, "e0")), "FAILED_PRECONDITION") << "its training is unknown";
  s.Submit(1, "t0 -> e0");
  EXPECT_EQ(s.Happen(ResultOf(kChain, "e0")), "FAILED_PRECONDITION") << "its training has no result";
  s.Happen(ResultOf(kChain, "t0"));
  ImportResult other = ResultOf(kChain, "e0");
  other.result.inputs[1].sha256 = "another checkpoint";
  EXPECT_EQ(s.Happen(other), "FAILED_PRECONDITION");
  ImportResult of_another_kind = ResultOf(kChain, "e0");
  of_another_kind.result.outcome = TrainResult{.checkpoint_sha256 = "out(e0)"};
  EXPECT_EQ(s.Happen(of_another_kind), "FAILED_PRECONDITION");
  EXPECT_EQ(s.Jobs(), "t0 succeeded, e0 ready");
}

// A data measure's explanation reads no training; a ranking cannot be where a model is named.
TEST(Import, InputsHaveTheKindThatIsRead) {
  Scenario s;
  s.Happen(ResultOf(kChain, "t0"));
  s.Happen(ResultOf(kChain, "e0"));
  ImportResult crooked = ResultOf(kChain, "e1");
  std::get<ExplainSpec>(crooked.spec).source = JobKey("e0");
  EXPECT_EQ(s.Happen(crooked), "INVALID_ARGUMENT");
  ImportResult of_data = ResultOf(kChain, "e1");
  MaskedData masked;
  masked.dataset.content_sha256 = "data";
  masked.mask = RankedMask{JobKey("e0"), MaskUnit::kRatioPercent, 10};
  of_data.spec = ExplainSpec{masked, {}};
  of_data.result.inputs = {{"dataset", "data"}, {"ranking", "out(e0)"}};
  EXPECT_EQ(s.Happen(of_data), "new e1 succeeded, e1 accepted #0");
  EXPECT_EQ(s.Job("e1").job.inputs, std::vector{JobKey("e0")});
}

// Keys are hashes, so that their order is not that of the chain.
TEST(Import, IsRestoredWithoutASweep) {
  Scenario s;
  const std::string backwards = "t9 -> e8 -> t7 -> e6 -> t5; t9 -> e1";
  for (const PlannedJob& job : Graph(backwards)) s.Happen(ResultOf(backwards, job.key.hex()));
  s.Submit(1, "t9");
  s.scheduler() = Restarted(s.scheduler(), {}, s.now());
  EXPECT_EQ(s.Job("t9").longest_chain, 5);
  EXPECT_EQ(s.Submit(2, backwards), "sweep 2");
}

}  // namespace
}  // namespace roar::schedule
