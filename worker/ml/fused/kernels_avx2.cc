#if defined(__x86_64__)
#define ROAR_KERNELS kAvx2Kernels
#define ROAR_KERNELS_NAME "avx2"
#include "worker/ml/fused/kernels_body.h"
#endif
