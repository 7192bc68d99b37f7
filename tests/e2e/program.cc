#include "tests/e2e/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/support/temporary_folder.h"

extern char** environ;

namespace roar::e2e {
namespace {

namespace fs = std::filesystem;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

pid_t Spawn(const std::string& name, const std::vector<std::string>& arguments, const fs::path& out,
            const fs::path& err) {
  const std::string path = std::string(ROAR_BINARY_DIR) + "/" + name;
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (err == out) {
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
  } else {
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  }
  pid_t pid = 0;
  const int error = posix_spawn(&pid, path.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + path);
  return pid;
}

}  // namespace

void SleepSeconds(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

Program::Program(const std::string& name, const std::vector<std::string>& arguments, const fs::path& log)
    : Program(name, arguments, log, log) {}

Program::Program(const std::string& name, const std::vector<std::string>& arguments, const fs::path& out,
                 const fs::path& err)
    : pid_(Spawn(name, arguments, out, err)) {}

Program::~Program() {
  if (is_reaped_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Program::IsRunning() {
  if (!is_reaped_ && waitpid(pid_, &status_, WNOHANG) == pid_) is_reaped_ = true;
  return !is_reaped_;
}

void Program::Signal(int signal) { kill(pid_, signal); }

int Program::Wait(double seconds_most) {
  if (!WaitUntil(seconds_most, [this] { return !IsRunning(); })) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    is_reaped_ = true;
    return -1;
  }
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

Output RunProgram(const std::string& name, const std::vector<std::string>& arguments, double seconds_most) {
  TemporaryFolder folder;
  const fs::path out = folder.path() / "out", err = folder.path() / "err";
  Output output;
  {
    Program program(name, arguments, out, err);
    output.exit_status = program.Wait(seconds_most);
  }
  output.standard_output = ReadText(out);
  output.standard_error = ReadText(err);
  return output;
}

std::vector<pid_t> ChildrenOf(pid_t parent) {
  // The kernel lists children by the thread that started them.
  std::vector<pid_t> children;
  std::error_code gone;
  for (const fs::directory_entry& thread : fs::directory_iterator("/proc/" + std::to_string(parent) + "/task", gone)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child; file >> child;) children.push_back(child);
  }
  return children;
}

std::vector<pid_t> ProcessesWith(const std::string& text) {
  std::vector<pid_t> found;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos || std::stoi(name) == getpid()) continue;
    if (ReadText(entry.path() / "cmdline").find(text) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace roar::e2e
