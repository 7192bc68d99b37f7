#pragma once

#include <map>
#include <string>
#include <vector>

namespace roar::e2e {

// A command with --json, and the schema that what it prints fits. A new command that prints JSON gets a row here; a
// test finds the commands that have none.
struct JsonCase {
  enum class Coordinator { kShared, kOwn };

  // "data list".
  std::string command;
  // @NAME is the path of that file in the test's folder; @train and @explain are keys of jobs of sweep 1.
  std::vector<std::string> arguments;
  // docs/schemas/NAME.json.
  std::string schema;
  int exit_status = 0;
  // Whether it asks the coordinator that all cases share, which has a worker, or one of a state folder of its own,
  // which it may start and stop.
  Coordinator coordinator = Coordinator::kShared;
};

// In the order in which they run.
const std::vector<JsonCase>& JsonCases();

// Files that the cases read, by name.
const std::map<std::string, std::string>& JsonCaseFiles();

}  // namespace roar::e2e
