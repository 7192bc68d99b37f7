// What every command prints with --json, by real programs, fits the schema that its row of the table of commands names.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/commands/command.h"
#include "tests/e2e/installation.h"
#include "tests/e2e/json_cases.h"
#include "tests/support/json_schema.h"

namespace roar::e2e {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

class CaseRunner {
 public:
  CaseRunner() {
    for (const auto& [name, text] : JsonCaseFiles()) std::ofstream(installation_.folder() / name) << text;
    installation_.StartCoordinator();
    installation_.StartAgent();
  }
  ~CaseRunner() { RunProgram("roar", {"server", "stop", "--state", OwnState()}); }

  Output Run(const JsonCase& json_case) {
    std::vector<std::string> words = Words(json_case.command);
    for (const std::string& argument : json_case.arguments) words.push_back(Resolve(argument));
    words.push_back("--json");
    if (json_case.coordinator == JsonCase::Coordinator::kShared) return installation_.Roar(words, 400);
    words.insert(words.end(), {"--state", OwnState()});
    return RunProgram("roar", words, 400);
  }

 private:
  std::string OwnState() const { return (installation_.folder() / "own").string(); }

  std::string Resolve(const std::string& argument) {
    if (!argument.starts_with("@")) return argument;
    const std::string name = argument.substr(1);
    if (name != "train" && name != "explain") return (installation_.folder() / name).string();
    const json jobs = installation_.RoarJson({"job", "list", "1"}).at("jobs");
    for (const json& job : jobs) {
      if (job.at("description").get<std::string>().starts_with(name)) return job.at("key");
    }
    return argument;
  }

  Installation installation_;
};

// A schema with holes would let anything through. Whatever object of the document has one key more, it fits no longer.
void ExpectNothingElseFits(const JsonSchema& schema, const json& document) {
  const json paths = document.flatten();
  std::set<std::string> objects = {""};
  for (const auto& [path, value] : paths.items()) {
    for (std::size_t end = path.rfind('/'); end != std::string::npos && end > 0; end = path.rfind('/', end - 1)) {
      const std::string around = path.substr(0, end);
      if (document.at(json::json_pointer(around)).is_object()) objects.insert(around);
    }
  }
  for (const std::string& object : objects) {
    json more = document;
    more[json::json_pointer(object)]["surprise"] = json::array({json::array()});
    EXPECT_THAT(schema.WhyNot(more), Not(IsEmpty())) << "with something else in \"" << object << "\"";
  }
}

// What the schema names is required, and of its kind.
void ExpectAllIsRequired(const JsonSchema& schema, const json& document) {
  for (const auto& [key, value] : document.items()) {
    json less = document;
    less.erase(key);
    EXPECT_THAT(schema.WhyNot(less), Not(IsEmpty())) << "without " << key;
    json other = document;
    other[key] = json::array({json::array()});
    EXPECT_THAT(schema.WhyNot(other), Not(IsEmpty())) << "with another " << key;
  }
}

TEST(JsonOutput, FitsItsSchema) {
  CaseRunner runner;
  std::set<std::pair<std::string, std::string>> shown;
  for (const JsonCase& json_case : JsonCases()) {
    SCOPED_TRACE(json_case.command + " " + testing::PrintToString(json_case.arguments));
    const Output output = runner.Run(json_case);
    EXPECT_EQ(output.exit_status, json_case.exit_status) << output.standard_error;
    const JsonSchema schema(json_case.schema);
    std::istringstream lines(output.standard_output);
    int documents = 0;
    for (std::string line; std::getline(lines, line); ++documents) {
      const json document = json::parse(line, nullptr, /*allow_exceptions=*/false);
      ASSERT_FALSE(document.is_discarded()) << line;
      EXPECT_EQ(schema.WhyNot(document), "") << line;
      ExpectNothingElseFits(schema, document);
      ExpectAllIsRequired(schema, document);
    }
    EXPECT_GE(documents, 1);
    shown.insert({json_case.command, json_case.schema});
  }
  for (const Command& command : Commands()) {
    for (const std::string& schema : command.schemas) {
      EXPECT_TRUE(shown.contains({WordsOf(command), schema}))
          << "give JsonCases() a row for roar " << WordsOf(command) << " --json with the schema " << schema;
    }
  }
}

// A command whose output is not of the schemas of its row would have a reference that lies.
TEST(JsonOutput, IsOfASchemaThatTheCommandNames) {
  for (const JsonCase& json_case : JsonCases()) {
    bool is_named = false;
    for (const Command& command : Commands()) {
      if (WordsOf(command) != json_case.command) continue;
      is_named = std::ranges::count(command.schemas, json_case.schema) > 0;
    }
    EXPECT_TRUE(is_named) << json_case.command << " does not name " << json_case.schema;
  }
}

void ExpectDescribed(const json& schema, const std::string& place) {
  if (schema.is_array()) {
    for (const json& item : schema) ExpectDescribed(item, place);
    return;
  }
  if (!schema.is_object()) return;
  if (const auto properties = schema.find("properties"); properties != schema.end()) {
    EXPECT_EQ(schema.at("additionalProperties"), false) << place;
    for (const auto& [key, value] : properties->items()) {
      EXPECT_TRUE(value.contains("description") || value.contains("$ref")) << place << "/" << key;
    }
  }
  for (const auto& [key, value] : schema.items()) ExpectDescribed(value, place + "/" + key);
}

TEST(JsonSchemas, SayWhatEveryKeyIsAndBelongToACommand) {
  std::set<std::string> named;
  for (const Command& command : Commands()) named.insert(command.schemas.begin(), command.schemas.end());
  for (const fs::directory_entry& entry : fs::directory_iterator(JsonSchema::Folder())) {
    if (entry.path().extension() != ".json") continue;
    const json schema = JsonSchema::Read(entry.path().filename());
    EXPECT_EQ(schema.at("$schema"), "http://json-schema.org/draft-07/schema#") << entry.path();
    EXPECT_THAT(schema.at("title").get<std::string>(), Not(IsEmpty())) << entry.path();
    ExpectDescribed(schema, entry.path().filename());
    EXPECT_EQ(named.erase(entry.path().stem()), 1u) << entry.path() << " is of no command";
  }
  EXPECT_THAT(named, IsEmpty()) << "schemas that are named and not there";
}

}  // namespace
}  // namespace roar::e2e
