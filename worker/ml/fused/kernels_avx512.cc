#if defined(__x86_64__)
#define ROAR_KERNELS kAvx512Kernels
#define ROAR_KERNELS_NAME "avx512"
#include "worker/ml/fused/kernels_body.h"
#endif
