#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/storage/migration.h"

namespace roar::server {

// A writer connection on a SQLite file: WAL, synchronous FULL, foreign keys. Debian's SQLite needs exactly one writer
// per file (the WAL-reset defect before 3.51.3), which the lock on the state folder and one object per file see to.
// Methods throw SQLite::Exception; callers catch it at one place. Thread-compatible.
class Database {
 public:
  // Opens, creates or upgrades the file. An upgrade first copies the file to `PATH.v<old>.backup`, then runs each step
  // in its own transaction. FailedPrecondition: a newer schema, or another program's file. DataLoss: quick_check
  // complains. Internal: SQLite's own error.
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::filesystem::path& path, const Schema& schema);

  // A prepared statement, reset and ready to bind; `sql` must be a literal, its address is the name.
  SQLite::Statement& Prepared(const char* sql);

  // BEGIN IMMEDIATE unless a transaction is open.
  void Begin();
  // Ends the open transaction and returns true, or false when there was none; throws when it could not be made durable.
  bool Commit();
  void Rollback() noexcept;

  SQLite::Database& connection() { return connection_; }

 private:
  explicit Database(const std::filesystem::path& path);

  SQLite::Database connection_;
  std::map<const char*, std::unique_ptr<SQLite::Statement>> statements_;
  bool in_transaction_ = false;
};

}  // namespace roar::server
