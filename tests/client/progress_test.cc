#include "client/output/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <unistd.h>

#include <regex>

#include "client/output/format.h"

namespace roar::output {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

v1::SweepInfo Sweep() {
  v1::SweepInfo sweep;
  sweep.set_id(3);
  sweep.set_name("quickstart");
  sweep.set_state(v1::SWEEP_STATE_RUNNING);
  sweep.set_eta_seconds(125);
  sweep.set_workers(1);
  sweep.mutable_jobs()->set_succeeded(10);
  sweep.mutable_jobs()->set_cached(2);
  sweep.mutable_jobs()->set_running(2);
  sweep.mutable_jobs()->set_ready(1);
  sweep.mutable_jobs()->set_pending(9);
  for (const auto& [measure, done] : {std::pair("random", 6), std::pair("attention", 3)}) {
    v1::CellProgress& cell = *sweep.add_cells();
    cell.set_dataset("babi-gen-1");
    cell.set_strategy("recursive");
    cell.set_measure(measure);
    cell.set_points_done(done);
    cell.set_points_total(6);
  }
  v1::RunningJobInfo& job = *sweep.add_running();
  job.set_description("train babi-gen-1 recursive attention 40 % seed 1");
  job.set_phase("training");
  job.set_progress(0.456);
  return sweep;
}

// The same when its only worker is gone and what it held is free again.
v1::SweepInfo WithoutWorker(v1::SweepInfo sweep) {
  sweep.set_workers(0);
  sweep.set_eta_seconds(-1);
  sweep.mutable_jobs()->set_ready(3);
  sweep.mutable_jobs()->set_running(0);
  sweep.clear_running();
  return sweep;
}

TEST(ProgressTest, At100Columns) {
  EXPECT_THAT(ProgressBlock(Sweep(), {.is_terminal = true, .columns = 100, .rows = 24}, ""),
              ElementsAre("sweep 3 quickstart: about 2 min left",
                          "babi-gen-1 recursive random    [######################################] 6/6",
                          "babi-gen-1 recursive attention [###################-------------------] 3/6",
                          "total                          [###################-------------------] 12/24",
                          "2 running, 1 ready, 9 waiting",
                          "  train babi-gen-1 recursive attention 40 % seed 1: training 45 %"));
}

TEST(ProgressTest, At40Columns) {
  EXPECT_THAT(ProgressBlock(Sweep(), {.is_terminal = true, .columns = 40, .rows = 24}, ""),
              ElementsAre("sweep 3 quickstart: about 2 min left", "babi-gen-1 recursi.. [#############] 6/6",
                          "babi-gen-1 recursi.. [######-------] 3/6", "total                [#####------] 12/24",
                          "2 running, 1 ready, 9 waiting", "  train babi-gen-1 recursive attention.."));
}

TEST(ProgressTest, ColourIsOnlyInTheBars) {
  const auto lines = ProgressBlock(Sweep(), {.is_terminal = true, .columns = 60, .rows = 24, .has_color = true}, "");
  const auto plain = ProgressBlock(Sweep(), {.is_terminal = true, .columns = 60, .rows = 24}, "");
  ASSERT_EQ(lines.size(), plain.size());
  EXPECT_THAT(lines[1], HasSubstr("\033[32m#"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(std::regex_replace(lines[i], std::regex("\033\\[[0-9]*m"), ""), plain[i]);
    EXPECT_THAT(plain[i], Not(HasSubstr("\033")));
  }
}

TEST(ProgressTest, FailuresAreShown) {
  v1::SweepInfo sweep = Sweep();
  sweep.mutable_jobs()->set_failed(1);
  sweep.mutable_jobs()->set_aborted(4);
  EXPECT_THAT(ProgressBlock(sweep, {.columns = 80}, ""), testing::Contains(HasSubstr("1 failed, 4 aborted")));
  EXPECT_EQ(ProgressLine(sweep),
            "sweep 3 quickstart: 12/29 jobs done, 2 running, 1 failed, 4 aborted, about 2 min left");
}

RC_GTEST_PROP(ProgressTest, TheBlockFitsAnyTerminal, ()) {
  const int columns = *rc::gen::inRange(20, 200);
  const int rows = *rc::gen::inRange(8, 60);
  v1::SweepInfo sweep = Sweep();
  const int cells = *rc::gen::inRange(0, 100);
  for (int i = 0; i < cells; ++i) *sweep.add_cells() = sweep.cells(i % 2);
  if (*rc::gen::arbitrary<bool>()) sweep = WithoutWorker(sweep);
  const auto lines = ProgressBlock(sweep, {.is_terminal = true, .columns = columns, .rows = rows}, kNoWorker);
  RC_ASSERT(static_cast<int>(lines.size()) < rows);
  for (const std::string& line : lines) RC_ASSERT(static_cast<int>(line.size()) <= columns);
}

TEST(ProgressDisplayTest, ALogGetsOneLinePerChangeOfTheCountAndNoEscapes) {
  ProgressDisplay display({.is_terminal = false}, kNoWorker);
  v1::SweepInfo sweep = Sweep();
  EXPECT_EQ(display.Update(sweep), "sweep 3 quickstart: 12/24 jobs done, 2 running, about 2 min left\n");
  sweep.mutable_running(0)->set_progress(0.9);
  sweep.set_eta_seconds(60);
  EXPECT_EQ(display.Update(sweep), "");
  sweep.mutable_jobs()->set_succeeded(11);
  sweep.mutable_jobs()->set_running(1);
  EXPECT_EQ(display.Update(sweep), "sweep 3 quickstart: 13/24 jobs done, 1 running, about 1 min left\n");
}

TEST(ProgressTest, WithoutAWorkerItSaysWhatToDo) {
  const TerminalTraits terminal{.is_terminal = true, .columns = 100, .rows = 24};
  const auto lines = ProgressBlock(WithoutWorker(Sweep()), terminal, kNoWorker);
  EXPECT_EQ(lines.back(), kNoWorker);
  EXPECT_THAT(lines.front(), HasSubstr("time left unknown"));
  EXPECT_THAT(ProgressBlock(WithoutWorker(Sweep()), terminal, ""), Not(testing::Contains("")))
      << "the caller brings one";
  v1::SweepInfo held = Sweep();
  held.set_workers(0);
  EXPECT_THAT(ProgressBlock(held, terminal, kNoWorker), Not(testing::Contains(kNoWorker))) << "they will come back";
}

TEST(ProgressDisplayTest, ALogIsToldOnceThatThereIsNoWorker) {
  ProgressDisplay display({.is_terminal = false}, kNoWorker);
  const v1::SweepInfo lonely = WithoutWorker(Sweep());
  EXPECT_EQ(display.Update(lonely),
            std::string("sweep 3 quickstart: 12/24 jobs done, 0 running, time left unknown\n") + kNoWorker + "\n");
  EXPECT_EQ(display.Update(lonely), "");
  EXPECT_EQ(display.Update(Sweep()), "");
  EXPECT_EQ(display.Update(lonely), std::string(kNoWorker) + "\n") << "it is gone again";
}

TEST(ProgressDisplayTest, ATerminalIsDrawnOver) {
  ProgressDisplay display({.is_terminal = true, .columns = 80, .rows = 24}, kNoWorker);
  const std::string first = display.Update(Sweep());
  EXPECT_THAT(first, Not(HasSubstr("\033")));
  EXPECT_EQ(display.Update(Sweep()), "\033[6A\r\033[J" + first);
}

TEST(TerminalTest, WidthComesFromTheSystemThenTheVariableThenIs80) {
  EXPECT_EQ(ColumnsFrom(120, "60"), 120);
  EXPECT_EQ(ColumnsFrom(0, "60"), 60);
  EXPECT_EQ(ColumnsFrom(0, nullptr), 80);
  EXPECT_EQ(ColumnsFrom(0, "garbage"), 80);
  EXPECT_EQ(ColumnsFrom(0, "-5"), 80);
  EXPECT_EQ(ColumnsFrom(5, nullptr), 20);
}

TEST(TerminalTest, APipeIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const TerminalTraits traits = DescribeTerminal(ends[1]);
  EXPECT_FALSE(traits.is_terminal);
  EXPECT_FALSE(traits.has_color);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace roar::output
