#pragma once

#include <cstdint>

namespace roar::runner {

// The most memory that the process has had resident since ResetPeakMemory(), in bytes. Where the kernel does not let a
// process reset it, since the process began; 0 where it is not told.
std::int64_t PeakMemoryBytes();

void ResetPeakMemory();

}  // namespace roar::runner
