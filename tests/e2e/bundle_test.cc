// Two coordinators that never meet: a file carries the results of one to the other, where the sweep goes on.

#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Bundle, HalfASweepGoesOnAtAnotherCoordinator) {
  const std::string sweep = SmallSweep(1);
  Installation first, second;
  const std::string file = (first.folder() / "half.roar").string();
  first.StartCoordinator();
  first.StartAgent("w1");
  first.Submit(sweep);
  ASSERT_TRUE(WaitUntil(120, [&] { return first.RoarJson({"show", "1"}).at("jobs").at("succeeded") >= 5; }));
  const json exported = first.RoarJson({"export", "1", "--bundle", file});
  EXPECT_GE(exported.at("results"), 5);
  EXPECT_EQ(exported.at("rankings"), exported.at("explanations"));

  const Output again = first.Roar({"export", "1", "--bundle", file});
  EXPECT_EQ(again.exit_status, 8);
  EXPECT_THAT(again.standard_error, HasSubstr("--force"));
  ASSERT_EQ(first.Roar({"wait", "1"}, 300).exit_status, 0);
  const Output finished = first.Roar({"export", "1", "--bundle", (first.folder() / "all.roar").string()});
  EXPECT_THAT(finished.standard_output, StartsWith("export: 14 results (10 trainings, 4 explanations), 4 rankings, "
                                                   "0 checkpoints, "));

  second.StartCoordinator();
  const Output imported = second.Roar({"import", "--bundle", file});
  EXPECT_EQ(imported.exit_status, 0) << imported.standard_error;
  const std::string results = std::to_string(exported.at("results").get<int>());
  EXPECT_EQ(imported.standard_output, "import: " + results + " results new, 0 known, 0 conflicts\n");
  EXPECT_EQ(second.RoarJson({"import", "--bundle", file}).at("known"), exported.at("results"));
  second.Submit(sweep);
  EXPECT_EQ(second.RoarJson({"show", "1"}).at("jobs").at("cached"), exported.at("results"));
  second.StartAgent("w2");
  ASSERT_EQ(second.Roar({"wait", "1"}, 300).exit_status, 0);
  EXPECT_EQ(second.RoarJson({"results", "1"}).at("curves"), first.RoarJson({"results", "1"}).at("curves"));

  // Where a result came from stays.
  int of_first = 0, of_second = 0;
  const json list = second.RoarJson({"job", "list", "1"});
  for (const json& job : list.at("jobs")) {
    const json shown = second.RoarJson({"job", "show", job.at("key").get<std::string>()});
    const std::string worker = shown.at("result").at("provenance").at("worker");
    ++(worker == "w1" ? of_first : of_second);
  }
  EXPECT_EQ(of_first, exported.at("results"));
  EXPECT_EQ(of_first + of_second, 14);
}

TEST(Bundle, ADamagedFileOrNoneChangesNothing) {
  Installation installation;
  installation.StartCoordinator();
  const std::string file = (installation.folder() / "bad.roar").string();
  EXPECT_EQ(installation.Roar({"import", "--bundle", file}).exit_status, 4);
  std::ofstream(file) << "roar bundle 1\nand no more";
  const Output damaged = installation.Roar({"import", "--bundle", file});
  EXPECT_EQ(damaged.exit_status, 9);
  EXPECT_THAT(damaged.standard_error, HasSubstr("nothing of it was taken"));
  std::ofstream(file) << "name: a sweep\n";
  EXPECT_EQ(installation.Roar({"import", "--bundle", file}).exit_status, 2);
  EXPECT_EQ(installation.Roar({"export", "1", "--bundle", (installation.folder() / "x").string()}).exit_status, 4);
}

}  // namespace
}  // namespace roar::e2e
