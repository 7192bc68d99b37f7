#include "server/storage/blob_store.h"

#include "absl/strings/str_cat.h"

namespace roar::server {
namespace {

absl::Status FromException(const SQLite::Exception& error) {
  return absl::UnavailableError(absl::StrCat("blobs.db: ", error.what()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<BlobStore>> BlobStore::Open(const std::filesystem::path& path) {
  absl::StatusOr<std::unique_ptr<Database>> database = Database::Open(path, kBlobSchema);
  if (!database.ok()) return database.status();
  return std::unique_ptr<BlobStore>(new BlobStore(*std::move(database)));
}

absl::Status BlobStore::Put(const std::string& sha256, const std::string& bytes) {
  std::lock_guard lock(mutex_);
  try {
    database_->Begin();
    SQLite::Statement& insert =
        database_->Prepared("INSERT INTO blobs (sha256, bytes) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING");
    insert.bind(1, sha256);
    insert.bind(2, bytes.data(), static_cast<int>(bytes.size()));
    insert.exec();
    database_->Commit();
    return absl::OkStatus();
  } catch (const SQLite::Exception& error) {
    database_->Rollback();
    return FromException(error);
  }
}

absl::StatusOr<std::string> BlobStore::Get(const std::string& sha256) {
  std::lock_guard lock(mutex_);
  try {
    SQLite::Statement& row = database_->Prepared("SELECT bytes FROM blobs WHERE sha256 = ?");
    row.bind(1, sha256);
    if (!row.executeStep()) return absl::NotFoundError(absl::StrCat("no blob ", sha256));
    std::string bytes = row.getColumn(0).getString();
    row.reset();
    return bytes;
  } catch (const SQLite::Exception& error) {
    return FromException(error);
  }
}

absl::StatusOr<std::int64_t> BlobStore::Size(const std::string& sha256) {
  std::lock_guard lock(mutex_);
  try {
    SQLite::Statement& row = database_->Prepared("SELECT length(bytes) FROM blobs WHERE sha256 = ?");
    row.bind(1, sha256);
    const std::int64_t size = row.executeStep() ? row.getColumn(0).getInt64() : -1;
    row.reset();
    return size;
  } catch (const SQLite::Exception& error) {
    return FromException(error);
  }
}

}  // namespace roar::server
