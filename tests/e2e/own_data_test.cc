// A researcher's own table, from the file to a curve, by the commands that docs/your-data.md teaches.

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/installation.h"

namespace roar::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class OwnDataTest : public testing::Test {
 protected:
  OwnDataTest() { installation_.StartCoordinator(); }

  std::string Path(const std::string& name) const { return (installation_.folder() / name).string(); }
  void Write(const std::string& name, const std::string& text) const { std::ofstream(Path(name)) << text; }

  // A word tells the class of each text. Columns as `header` names them: class, text, split.
  static std::string Reviews(const std::string& header, char separator, int count) {
    std::string table = header + "\n";
    for (int i = 0; i < count; ++i) {
      const bool is_good = i % 2 == 0;
      const std::string split = i % 4 < 2 ? "train" : "test";
      table += (is_good ? "good" : "bad") + std::string(1, separator) + "a film so " + (is_good ? "fine" : "dull") +
               " that I wrote " + std::to_string(i) + " words" + std::string(1, separator) + split + "\n";
    }
    return table;
  }

  Installation installation_;
};

TEST_F(OwnDataTest, ATableBecomesACurve) {
  Write("reviews.csv", Reviews("sentiment,comment,part", ',', 120));
  const std::vector<std::string> import = {"data", "import", "reviews", Path("reviews.csv")};
  const Output unnamed = installation_.Roar(import);
  EXPECT_EQ(unnamed.exit_status, 2);
  EXPECT_THAT(unnamed.standard_error, HasSubstr("sentiment")) << "the columns that are there are named";

  std::vector<std::string> named = import;
  for (const std::string word : {"--label", "sentiment", "--text", "comment", "--split", "part"}) named.push_back(word);
  const Output imported = installation_.Roar(named);
  ASSERT_EQ(imported.exit_status, 0) << imported.standard_error;
  EXPECT_THAT(imported.standard_output, HasSubstr("label from \"sentiment\", text from \"comment\""));
  const json shown = installation_.RoarJson({"data", "show", "reviews"});
  EXPECT_EQ(shown.at("splits").at("train").at("examples"), 51);
  EXPECT_EQ(shown.at("splits").at("validation").at("examples"), 9);
  EXPECT_EQ(shown.at("splits").at("test").at("examples"), 60);

  installation_.StartAgent();
  installation_.Submit(
      "name: reviews\ndatasets: [reviews]\nmeasures: [gradient]\nratios: [50]\nseeds: 1\n"
      "training: {epochs: 40}\n");
  ASSERT_EQ(installation_.Roar({"wait", "1"}, 120).exit_status, 0);
  const json curves = installation_.RoarJson({"curves", "1"}).at("curves");
  ASSERT_EQ(curves.size(), 2u) << "random and gradient";
  for (const json& curve : curves) {
    EXPECT_EQ(curve.at("metric"), "macro_f1");
    ASSERT_EQ(curve.at("points").size(), 3u);
    EXPECT_GT(curve.at("points")[0].at("mean").get<double>(), 0.9) << "a word tells the class";
    EXPECT_NEAR(curve.at("points")[2].at("mean").get<double>(), 1.0 / 3, 1e-9)
        << "one class for all, of two equal ones";
  }
}

TEST_F(OwnDataTest, ANameKeepsItsContentUntilToldOtherwise) {
  Write("reviews.tsv", Reviews("label\ttext\tsplit", '\t', 80));
  const std::vector<std::string> import = {"data", "import", "reviews", Path("reviews.tsv")};
  const json first = installation_.RoarJson(import);
  EXPECT_EQ(installation_.RoarJson(import).at("content_sha256"), first.at("content_sha256")) << "again is the same";

  Write("reviews.tsv", Reviews("label\ttext\tsplit", '\t', 100));
  const Output refused = installation_.Roar(import);
  EXPECT_EQ(refused.exit_status, 8);
  EXPECT_THAT(refused.standard_error, HasSubstr("--replace"));
  EXPECT_EQ(installation_.RoarJson({"data", "show", "reviews"}).at("content_sha256"), first.at("content_sha256"));

  std::vector<std::string> replace = import;
  replace.push_back("--replace");
  EXPECT_NE(installation_.RoarJson(replace).at("content_sha256"), first.at("content_sha256"));
}

TEST_F(OwnDataTest, AFaultyTableIsNamedByLineAndNothingIsKept) {
  Write("reviews.tsv", "label\ttext\tsplit\ngood\tfine\ttrain\nbad\tdull\n");
  const Output faulty = installation_.Roar({"data", "import", "reviews", Path("reviews.tsv")});
  EXPECT_EQ(faulty.exit_status, 2);
  EXPECT_THAT(faulty.standard_error, HasSubstr("reviews.tsv:3"));
  EXPECT_TRUE(installation_.RoarJson({"data", "list"}).at("datasets").empty());
}

}  // namespace
}  // namespace roar::e2e
