// What the programs refuse, each in one line and with the exit status that scripts rely on.

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using testing::HasSubstr;

class RefusalTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }

  TemporaryFolder folder_;
};

void ExpectOneLine(const Output& output, int exit_status, const std::string& words) {
  EXPECT_EQ(output.exit_status, exit_status) << output.standard_error;
  EXPECT_THAT(output.standard_error, HasSubstr(words));
  EXPECT_EQ(std::ranges::count(output.standard_error, '\n'), 1) << output.standard_error;
}

TEST_F(RefusalTest, ClientSaysWhatIsWrongAndWhere) {
  const std::string state = Path("state");
  const std::string good = "name: s\ndatasets: [babi-gen-1]\nmeasures: [gradient]\n";
  struct Row {
    std::vector<std::string> arguments;
    int exit_status;
    std::string words;
  };
  const std::vector<Row> rows = {
      {{"run", Path("none.yaml"), "--state", state}, 4, "none.yaml"},
      {{"run", Write("a.yaml", "name: s\n  bad: [\n"), "--state", state}, 2, "a.yaml"},
      {{"run", Write("b.yaml", good + "measure: [x]\n"), "--state", state}, 2, "b.yaml:4"},
      {{"run", Write("c.yaml", good + "ratios: [30, 20]\n"), "--state", state}, 2, "c.yaml:4"},
      {{"submit", Write("d.yaml", "name: s\ndatasets: [imdb]\nmeasures: [gradient]\n"), "--state", state}, 4, "imdb"},
      {{"show", "17", "--state", state}, 4, "17"},
      {{"list", "--access", Path("no access.json")}, 4, "no access.json"},
      {{"nonsense"}, 2, "nonsense"},
  };
  for (const Row& row : rows) ExpectOneLine(RunProgram("roar", row.arguments), row.exit_status, row.words);
  RunProgram("roar", {"server", "stop", "--state", state});
}

TEST_F(RefusalTest, AServerThatIsNotThereIsUnreachable) {
  Installation installation({.listen = "127.0.0.1:0"});
  installation.StartCoordinator();
  installation.coordinator().Signal(9);
  installation.coordinator().Wait(10);
  ExpectOneLine(installation.Roar({"list"}), 3, "cannot be reached");
}

TEST_F(RefusalTest, ASecondCoordinatorOnAFolderNamesTheFirst) {
  Installation installation;
  installation.StartCoordinator();
  ExpectOneLine(RunProgram("roard", {"--state", installation.state().string()}), 8,
                std::to_string(installation.coordinator().pid()));
}

TEST_F(RefusalTest, APortInUseIsNamed) {
  Installation first({.listen = "127.0.0.1:0"});
  first.StartCoordinator();
  const std::string address = first.RoarJson({"server", "info"}).at("address");
  ExpectOneLine(RunProgram("roard", {"--state", Path("other"), "--listen", address}), 9, address);
}

TEST_F(RefusalTest, AStateFolderThatIsAFileIsNamed) {
  ExpectOneLine(RunProgram("roard", {"--state", Write("file", "x") + "/state"}), 9, "file");
}

TEST_F(RefusalTest, EmptyAndTornDataSetsAreNotImported) {
  const std::string state = Path("state");
  std::filesystem::create_directory(Path("empty"));
  EXPECT_EQ(RunProgram("roar", {"data", "import", "babi-1", Path("empty"), "--state", state}).exit_status, 4);
  std::filesystem::create_directory(Path("torn"));
  Write("torn/qa1_x_train.txt", "1 Mary moved to the garden.\n2 Where is Mary? \tgarden\t1\n3 Where is");
  Write("torn/qa1_x_test.txt", "1 Mary moved to the garden.\n2 Where is Mary? \tgarden\t1\n");
  const Output torn = RunProgram("roar", {"data", "import", "babi-1", Path("torn"), "--state", state});
  EXPECT_EQ(torn.exit_status, 2);
  EXPECT_THAT(torn.standard_error, HasSubstr("qa1_x_train.txt:3"));
  EXPECT_THAT(RunProgram("roar", {"data", "list", "--state", state, "--json"}).standard_output,
              HasSubstr("\"datasets\":[]"));
  RunProgram("roar", {"server", "stop", "--state", state});
}

}  // namespace
}  // namespace roar::e2e
