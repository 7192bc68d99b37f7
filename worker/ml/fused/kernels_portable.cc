#define ROAR_KERNELS kPortableKernels
#define ROAR_KERNELS_NAME "portable"
#include "worker/ml/fused/kernels_body.h"
