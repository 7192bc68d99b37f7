#include "client/doctor/machine.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "client/output/format.h"

namespace roar::doctor {
namespace {

// A training of the published settings needs up to 0.4 GB (docs/performance.md), and a runner stays for the next.
constexpr std::int64_t kMemoryOfASlotBytes = 500'000'000;
// Of a coordinator with some workers and watchers; each connection and artifact takes a few.
constexpr std::int64_t kOpenFilesLeast = 1024;
// 2024-01-01. The certificates of a coordinator are made after it: a clock before it refuses them all.
constexpr std::int64_t kLongAgoUnixSeconds = 1'704'067'200;

std::string TextOf(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int UsableCores() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof(cores), &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

std::string WidestInstructionSet() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
#endif
  return "";
}

std::filesystem::path FindInPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  const std::vector<std::string> folders = absl::StrSplit(path == nullptr ? "" : path, ':', absl::SkipEmpty());
  for (const std::string& folder : folders) {
    const std::filesystem::path file = std::filesystem::path(folder) / program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

Finding JudgeCores(const MachineFacts& facts) {
  Finding finding{"cores", Verdict::kOk, absl::StrCat(facts.cores, ": as many jobs at a time")};
  if (facts.core_quota && *facts.core_quota < facts.cores) {
    finding.verdict = Verdict::kWarning;
    finding.detail = absl::StrFormat("%d, of which a quota leaves %.1f", facts.cores, *facts.core_quota);
    finding.remedy =
        absl::StrCat("give run and roar-worker --slots ", std::max(1, static_cast<int>(*facts.core_quota)));
  }
  return finding;
}

Finding JudgeInstructions(const MachineFacts& facts) {
  if (!facts.instruction_set.empty()) return {"instructions", Verdict::kOk, facts.instruction_set};
  return {"instructions", Verdict::kWarning, "neither AVX2 nor AVX-512: jobs take several times as long",
          "use a processor with AVX2, or fewer seeds and epochs"};
}

Finding JudgeMemory(const MachineFacts& facts) {
  Finding finding{"memory", Verdict::kOk, absl::StrCat(output::FileSize(facts.available_memory_bytes), " available")};
  const std::int64_t slots = facts.available_memory_bytes / kMemoryOfASlotBytes;
  if (slots >= facts.cores) return finding;
  finding.verdict = slots == 0 ? Verdict::kProblem : Verdict::kWarning;
  absl::StrAppend(&finding.detail, "; a job takes up to ", output::FileSize(kMemoryOfASlotBytes));
  finding.remedy = slots == 0 ? "free some" : absl::StrCat("give run and roar-worker --slots ", slots);
  return finding;
}

Finding JudgeOpenFiles(const MachineFacts& facts) {
  Finding finding{"open files", Verdict::kOk, absl::StrCat(facts.open_files_most, " at most")};
  if (facts.open_files_most >= kOpenFilesLeast) return finding;
  finding.verdict = Verdict::kWarning;
  finding.remedy = absl::StrCat("ulimit -n ", kOpenFilesLeast);
  return finding;
}

Finding JudgeClock(const MachineFacts& facts) {
  const std::string now = output::UtcTime(facts.now_unix_seconds);
  if (facts.now_unix_seconds < kLongAgoUnixSeconds) {
    return {"clock", Verdict::kProblem, absl::StrCat(now, ": certificates are not valid yet at that time"),
            "set the clock"};
  }
  if (!facts.is_clock_synchronized) {
    return {"clock", Verdict::kWarning, absl::StrCat(now, ", not synchronized: times of several machines may disagree"),
            "see timedatectl"};
  }
  return {"clock", Verdict::kOk, now};
}

Finding JudgeGnuplot(const MachineFacts& facts) {
  if (!facts.gnuplot.empty()) return {"gnuplot", Verdict::kOk, facts.gnuplot.string()};
  return {"gnuplot", Verdict::kWarning, "not found: no figures can be drawn", "apt install gnuplot-nox"};
}

}  // namespace

std::optional<double> CoreQuotaFrom(const std::string& cpu_max) {
  std::istringstream text(cpu_max);
  double quota = 0;
  double period = 0;
  if (!(text >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return quota / period;
}

std::int64_t AvailableMemoryFrom(const std::string& meminfo) {
  constexpr char kKey[] = "MemAvailable:";
  const std::size_t at = meminfo.find(kKey);
  if (at == std::string::npos) return 0;
  return std::strtoll(meminfo.c_str() + at + sizeof(kKey) - 1, nullptr, 10) * 1024;
}

MachineFacts MeasureMachine() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  timex clock{};
  return {.cores = UsableCores(),
          .core_quota = CoreQuotaFrom(TextOf("/sys/fs/cgroup/cpu.max")),
          .instruction_set = WidestInstructionSet(),
          .available_memory_bytes = AvailableMemoryFrom(TextOf("/proc/meminfo")),
          .open_files_most = static_cast<std::int64_t>(std::min<rlim_t>(files.rlim_cur, 1 << 30)),
          .now_unix_seconds = absl::ToUnixSeconds(absl::Now()),
          .is_clock_synchronized = adjtimex(&clock) != TIME_ERROR,
          .gnuplot = FindInPath("gnuplot")};
}

std::vector<Finding> JudgeMachine(const MachineFacts& facts) {
  return {JudgeCores(facts),     JudgeInstructions(facts), JudgeMemory(facts),
          JudgeOpenFiles(facts), JudgeClock(facts),        JudgeGnuplot(facts)};
}

}  // namespace roar::doctor
