#include "worker/ml/fused/kernels.h"

#include <vector>

namespace roar::ml {

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels, kAvx512Kernels;
#endif

std::span<const Kernels* const> SupportedKernels() {
  static const std::vector<const Kernels*> supported = [] {
    std::vector<const Kernels*> found{&kPortableKernels};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(&kAvx2Kernels);
    if (__builtin_cpu_supports("avx512f")) found.push_back(&kAvx512Kernels);
#endif
    return found;
  }();
  return supported;
}

const Kernels& BestKernels() { return *SupportedKernels().back(); }

}  // namespace roar::ml
