#include "client/doctor/setup.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/commands/server_control.h"
#include "client/output/format.h"
#include "client/state_folder.h"
#include "proto/roar/v1/worker_service.grpc.pb.h"

namespace roar::doctor {
namespace {

namespace fs = std::filesystem;

constexpr char kStateFolder[] = "state folder";
constexpr char kCoordinator[] = "coordinator";
constexpr char kAccessFile[] = "access file";
constexpr std::int64_t kTooLittleDiskBytes = 200'000'000;
constexpr std::int64_t kLittleDiskBytes = 2'000'000'000;

// All that a program prints until it ends, and how it ended; nothing when it cannot be started.
std::optional<std::string> OutputOf(const fs::path& program, const std::string& argument, int& wait_status) {
  const std::string quoted = absl::StrReplaceAll(program.string(), {{"'", "'\\''"}});
  FILE* pipe = popen(absl::StrCat("'", quoted, "' ", argument, " 2>&1").c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  char buffer[512];
  for (std::size_t count = 0; (count = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, count);
  wait_status = pclose(pipe);
  return text;
}

Finding CheckProgram(const fs::path& program) {
  const std::string subject = program.filename();
  constexpr char kRemedy[] = "build or install all programs of Roar into one folder";
  if (access(program.c_str(), F_OK) != 0) {
    return {subject, Verdict::kProblem, absl::StrCat(program.string(), " is not there"), kRemedy};
  }
  int wait_status = 0;
  const std::optional<std::string> printed = OutputOf(program, "--version", wait_status);
  const std::string first_line = printed ? printed->substr(0, printed->find('\n')) : "";
  if (!printed || wait_status != 0) {
    return {subject, Verdict::kProblem, absl::StrCat(program.string(), " does not start: ", first_line), kRemedy};
  }
  if (first_line != ROAR_VERSION) {
    return {subject, Verdict::kProblem, absl::StrCat("version ", first_line, ", and this is ", ROAR_VERSION), kRemedy};
  }
  return {subject, Verdict::kOk, absl::StrCat("version ", first_line)};
}

// The folder, or the nearest above it that is there.
fs::path NearestThatIs(fs::path folder) {
  std::error_code error;
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

Finding CheckStateFolder(const fs::path& folder) {
  if (folder.empty()) {
    return {kStateFolder, Verdict::kProblem, "neither XDG_STATE_HOME nor HOME is set", "give --state DIR"};
  }
  const fs::path nearest = NearestThatIs(folder);
  std::error_code error;
  if (!fs::is_directory(nearest, error)) {
    return {kStateFolder, Verdict::kProblem, absl::StrCat(nearest.string(), " is no folder"),
            "give another with --state DIR"};
  }
  if (access(nearest.c_str(), W_OK | X_OK) != 0) {
    return {kStateFolder, Verdict::kProblem, absl::StrCat(nearest.string(), " cannot be written by this user"),
            "make it yours, or give another with --state DIR"};
  }
  return {kStateFolder, Verdict::kOk,
          absl::StrCat(folder.string(), nearest == folder ? "" : ", not there yet: made when it is needed")};
}

Finding CheckAccessFile(const fs::path& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) {
    return {kAccessFile, Verdict::kProblem, absl::StrCat(file.string(), " is not there"),
            "copy it from the coordinator's machine, where roar server info names it"};
  }
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return {kAccessFile, Verdict::kProblem, absl::StrCat("others may use ", file.string(), ", which holds a secret"),
            absl::StrCat("chmod 600 ", file.string())};
  }
  return {kAccessFile, Verdict::kOk, file.string()};
}

Finding DescribeCoordinator(const Coordinator& coordinator) {
  const absl::StatusOr<v1::GetServerInfoResponse> info = GetServerInfo(coordinator);
  if (!info.ok()) return ProblemOf(kCoordinator, info.status());
  const auto workers = coordinator.List<v1::WorkerService>(&v1::WorkerService::Stub::ListWorkers,
                                                           v1::ListWorkersRequest(), &v1::ListWorkersResponse::workers);
  if (!workers.ok()) return ProblemOf(kCoordinator, workers.status());
  Finding finding{kCoordinator, Verdict::kOk,
                  absl::StrCat("version ", info->version(), " at ", info->address(), ", ", workers->size(),
                               workers->size() == 1 ? " worker" : " workers")};
  if (info->version() != ROAR_VERSION) {
    finding.verdict = Verdict::kWarning;
    absl::StrAppend(&finding.detail, "; this is ", ROAR_VERSION);
    finding.remedy = "use the same release of both; roar server start replaces one of this machine";
  }
  return finding;
}

Finding CheckCoordinator(const Target& target) {
  const absl::StatusOr<Coordinator> running = Join(target);
  if (running.ok()) return DescribeCoordinator(*running);
  if (!target.MayStart() || !absl::IsUnavailable(running.status())) return ProblemOf(kCoordinator, running.status());
  std::error_code error;
  if (!fs::exists(target.state_folder / "control.db", error)) {
    return {kCoordinator, Verdict::kOk, "none yet: started when it is needed"};
  }
  const absl::StatusOr<JoinedCoordinator> started = JoinOrStart(target);
  if (!started.ok()) return ProblemOf(kCoordinator, started.status());
  Finding finding = DescribeCoordinator(started->coordinator);
  absl::StrAppend(&finding.detail, "; started for this, leaves when idle");
  return finding;
}

}  // namespace

Finding JudgeFreeDisk(std::int64_t free_bytes, const fs::path& folder) {
  Finding finding{"disk", Verdict::kOk, absl::StrCat(output::FileSize(free_bytes), " free at ", folder.string())};
  if (free_bytes >= kLittleDiskBytes) return finding;
  finding.verdict = free_bytes < kTooLittleDiskBytes ? Verdict::kProblem : Verdict::kWarning;
  finding.remedy = "free some, or give a folder on another disk with --state DIR";
  return finding;
}

std::vector<Finding> CheckPrograms(const fs::path& folder) {
  std::vector<Finding> findings;
  for (const char* program : {"roard", "roar-worker", "roar-runner"})
    findings.push_back(CheckProgram(folder / program));
  return findings;
}

std::vector<Finding> CheckSetup(const Target& target) {
  if (!target.MayStart()) {
    const fs::path file = target.access_file.empty() ? AccessFileOf(target.state_folder) : target.access_file;
    Finding access_file = CheckAccessFile(file);
    if (access_file.verdict == Verdict::kProblem) return {std::move(access_file)};
    return {std::move(access_file), CheckCoordinator(target)};
  }
  std::vector<Finding> findings = {CheckStateFolder(target.state_folder)};
  if (WorstOf(findings) == Verdict::kProblem) return findings;
  const fs::path nearest = NearestThatIs(target.state_folder);
  std::error_code error;
  const fs::space_info space = fs::space(nearest, error);
  if (!error) findings.push_back(JudgeFreeDisk(static_cast<std::int64_t>(space.available), nearest));
  const fs::path access_file = AccessFileOf(target.state_folder);
  if (fs::exists(access_file, error)) findings.push_back(CheckAccessFile(access_file));
  findings.push_back(CheckCoordinator(target));
  return findings;
}

}  // namespace roar::doctor
