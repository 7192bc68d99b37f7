#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace roar {

struct ShellOutcome {
  int exit_status = -1;
  // Standard output; the script says where standard error goes.
  std::string output;
};

// Runs a script by /bin/sh.
inline ShellOutcome RunShell(const std::string& script) {
  ShellOutcome outcome;
  FILE* pipe = popen(script.c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (std::size_t count = 0; (count = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    outcome.output.append(buffer, count);
  }
  const int status = pclose(pipe);
  outcome.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

// Whether there is such a program on this machine.
inline bool HasProgram(const std::string& name) {
  return RunShell("command -v " + name + " >/dev/null").exit_status == 0;
}

}  // namespace roar
