#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "client/application.h"

namespace roar {

struct RoarOutcome {
  int exit_code = 0;
  std::string output;
  std::string errors;
};

// `roar WORDS` in this process.
inline RoarOutcome RunRoar(std::vector<std::string> words) {
  words.insert(words.begin(), "roar");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const ExitCode exit_code = RunApplication(static_cast<int>(arguments.size()), arguments.data());
  std::string output = testing::internal::GetCapturedStdout();
  return {static_cast<int>(exit_code), std::move(output), testing::internal::GetCapturedStderr()};
}

}  // namespace roar
