#pragma once

#include "server/storage/migration.h"

// One row here, one in storage/schemas.cc and one file beside this one per migration.

namespace roar::server {

extern const Migration kControl0001Initial;
extern const Migration kBlob0001Initial;

}  // namespace roar::server
