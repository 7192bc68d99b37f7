#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace roar::e2e {

// One of the project's programs, running for real. Killed with its object.
class Program {
 public:
  // `name` is a program in the build's bin folder. Standard output and error go to `log`.
  Program(const std::string& name, const std::vector<std::string>& arguments, const std::filesystem::path& log);
  Program(const std::string& name, const std::vector<std::string>& arguments, const std::filesystem::path& out,
          const std::filesystem::path& err);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  bool IsRunning();
  void Signal(int signal);
  // The exit status, or 128 + signal; -1 when it still ran after that time and was killed.
  int Wait(double seconds_most);

 private:
  pid_t pid_ = 0;
  int status_ = -1;
  bool is_reaped_ = false;
};

struct Output {
  int exit_status = -1;
  std::string standard_output;
  std::string standard_error;
};

// Runs a program to its end.
Output RunProgram(const std::string& name, const std::vector<std::string>& arguments, double seconds_most = 120);

// Processes whose parent is `parent`.
std::vector<pid_t> ChildrenOf(pid_t parent);

// Processes whose command line holds `text`.
std::vector<pid_t> ProcessesWith(const std::string& text);

// Waits until the condition holds; false when it did not within that time. Polls every 5 ms.
template <typename Condition>
bool WaitUntil(double seconds_most, Condition condition);

void SleepSeconds(double seconds);

template <typename Condition>
bool WaitUntil(double seconds_most, Condition condition) {
  constexpr double kPollSeconds = 0.005;
  for (double waited = 0; waited < seconds_most; waited += kPollSeconds) {
    if (condition()) return true;
    SleepSeconds(kPollSeconds);
  }
  return condition();
}

}  // namespace roar::e2e
