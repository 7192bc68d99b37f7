#include "server/storage/migration.h"
#include "server/storage/migrations/migrations.h"

namespace roar::server {
namespace {

constexpr const Migration* kControlMigrations[] = {&kControl0001Initial};
constexpr const Migration* kBlobMigrations[] = {&kBlob0001Initial};

}  // namespace

// "Roar" and "Roab" in ASCII.
const Schema kControlSchema = {"control", 0x526f6172, kControlMigrations};
const Schema kBlobSchema = {"blob", 0x526f6162, kBlobMigrations};

}  // namespace roar::server
