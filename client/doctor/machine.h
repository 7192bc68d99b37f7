#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "client/doctor/finding.h"

// What a machine must offer. Measuring is apart from judging, so that machines that lack something need not be found.

namespace roar::doctor {

struct MachineFacts {
  // Cores that this process may use, and what a container's quota leaves of them.
  int cores = 1;
  std::optional<double> core_quota;
  // The widest instruction set that the kernels use: "avx512", "avx2" or "".
  std::string instruction_set;
  std::int64_t available_memory_bytes = 0;
  std::int64_t open_files_most = 0;
  std::int64_t now_unix_seconds = 0;
  bool is_clock_synchronized = true;
  // Empty when it is not in PATH.
  std::filesystem::path gnuplot;
};

MachineFacts MeasureMachine();

// A finding for each: cores, instructions, memory, open files, clock, gnuplot.
std::vector<Finding> JudgeMachine(const MachineFacts& facts);

// What /sys/fs/cgroup/cpu.max says: "150000 100000" is 1.5 cores, "max 100000" no quota.
std::optional<double> CoreQuotaFrom(const std::string& cpu_max);

// MemAvailable of /proc/meminfo, in bytes; 0 when it is not there.
std::int64_t AvailableMemoryFrom(const std::string& meminfo);

}  // namespace roar::doctor
