// Idle slots share an explanation that takes long, and nobody can tell from the results.

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Shard, TwoSlotsShareAnExplanationAndTheCurvesAreThoseOfOne) {
  const TemporaryFolder folder;
  const std::string sweep = (folder.path() / "sweep.yaml").string();
  std::ofstream(sweep) << "name: shared\ndatasets: [babi-gen-1]\nmeasures: [integrated_gradient]\nratios: [20, 40, 60, 80]\n"
                          "seeds: 1\ntraining: {epochs: 1}\ndata: {babi-gen-1: {train: 100, test: 50}}\n";
  json curves;
  for (const std::string slots : {"1", "2"}) {
    const std::string state = (folder.path() / slots).string();
    const Output run = RunProgram("roar", {"run", sweep, "--state", state, "--slots", slots, "--json"}, 120);
    ASSERT_EQ(run.exit_status, 0) << run.standard_error;
    const json shown = json::parse(RunProgram("roar", {"show", "1", "--state", state, "--json"}).standard_output);
    const json listed = json::parse(RunProgram("roar", {"job", "list", "--state", state, "--json"}).standard_output);
    std::size_t shards = 0;
    for (const json& job : listed.at("jobs")) {
      const std::string description = job.at("description");
      if (!description.starts_with("shard ")) continue;
      ++shards;
      EXPECT_THAT(description, HasSubstr(" of 2 of explain integrated_gradient of babi-gen-1"));
      EXPECT_EQ(job.at("state"), "succeeded");
    }
    // The random baseline keeps the second slot busy at first, but not until the last link.
    EXPECT_EQ(shards > 0, slots == "2");
    EXPECT_EQ(shown.at("jobs").at("total"), listed.at("jobs").size() - shards) << "shards are not counted";
    const json found = json::parse(run.standard_output).at("curves");
    if (slots == "1") curves = found;
    EXPECT_EQ(found, curves);
  }
}

}  // namespace
}  // namespace roar::e2e
