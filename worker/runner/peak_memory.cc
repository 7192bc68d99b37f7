#include "worker/runner/peak_memory.h"

#include <fstream>
#include <string>

namespace roar::runner {

std::int64_t PeakMemoryBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void ResetPeakMemory() {
  // proc(5): 5 resets the peak resident set size, VmHWM.
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace roar::runner
