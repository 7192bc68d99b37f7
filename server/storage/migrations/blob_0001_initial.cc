#include "server/storage/migrations/migrations.h"

namespace roar::server {

const Migration kBlob0001Initial = {1, R"sql(
CREATE TABLE blobs (
  sha256 TEXT NOT NULL UNIQUE,
  bytes BLOB NOT NULL
) STRICT;
)sql"};

}  // namespace roar::server
