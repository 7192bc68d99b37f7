#include "server/storage/database.h"

#include <sqlite3.h>

#include "absl/strings/str_cat.h"

namespace roar::server {
namespace {

int Pragma(SQLite::Database& connection, const char* name) {
  return connection.execAndGet(absl::StrCat("PRAGMA ", name)).getInt();
}

void Migrate(SQLite::Database& connection, const Migration& migration) {
  connection.exec("BEGIN IMMEDIATE");
  try {
    connection.exec(migration.sql);
    connection.exec(absl::StrCat("PRAGMA user_version = ", migration.version));
    connection.exec("COMMIT");
  } catch (...) {
    connection.tryExec("ROLLBACK");
    throw;
  }
}

void BackUp(SQLite::Database& connection, const std::string& path) {
  std::filesystem::remove(path);
  SQLite::Statement copy(connection, "VACUUM INTO ?");
  copy.bind(1, path);
  copy.exec();
}

absl::Status CheckIdentity(SQLite::Database& connection, const std::string& path, const Schema& schema) {
  const int application_id = Pragma(connection, "application_id");
  const bool is_new = application_id == 0 && Pragma(connection, "schema_version") == 0;
  if (!is_new && application_id != schema.application_id) {
    return absl::FailedPreconditionError(absl::StrCat(path, " is not a Roar ", schema.name, " data base"));
  }
  const int version = Pragma(connection, "user_version");
  const int newest = schema.migrations.back()->version;
  if (version > newest) {
    return absl::FailedPreconditionError(absl::StrCat(path, " has schema version ", version,
                                                      ", this program knows up to ", newest,
                                                      ": use the newer roard, or a backup"));
  }
  const std::string found = connection.execAndGet("PRAGMA quick_check(1)").getString();
  if (found != "ok") return absl::DataLossError(absl::StrCat(path, " is damaged: ", found, "; restore a backup"));
  return absl::OkStatus();
}

void Upgrade(SQLite::Database& connection, const std::string& path, const Schema& schema) {
  const int version = Pragma(connection, "user_version");
  if (version > 0 && version < schema.migrations.back()->version) {
    BackUp(connection, absl::StrCat(path, ".v", version, ".backup"));
  }
  connection.exec(absl::StrCat("PRAGMA application_id = ", schema.application_id));
  for (const Migration* migration : schema.migrations) {
    if (migration->version > version) Migrate(connection, *migration);
  }
}

}  // namespace

Database::Database(const std::filesystem::path& path)
    : connection_(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, /*aBusyTimeoutMs=*/5000) {}

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::filesystem::path& path, const Schema& schema) {
  try {
    std::unique_ptr<Database> database(new Database(path));
    SQLite::Database& connection = database->connection_;
    if (absl::Status status = CheckIdentity(connection, path.string(), schema); !status.ok()) return status;
    connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = FULL");
    connection.exec("PRAGMA foreign_keys = ON");
    Upgrade(connection, path.string(), schema);
    return database;
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == SQLITE_NOTADB) {
      return absl::FailedPreconditionError(absl::StrCat(path.string(), " is not a SQLite data base"));
    }
    return absl::InternalError(absl::StrCat("open ", path.string(), ": ", error.what()));
  }
}

SQLite::Statement& Database::Prepared(const char* sql) {
  std::unique_ptr<SQLite::Statement>& statement = statements_[sql];
  if (statement == nullptr) statement = std::make_unique<SQLite::Statement>(connection_, sql);
  statement->tryReset();
  statement->clearBindings();
  return *statement;
}

void Database::Begin() {
  if (in_transaction_) return;
  connection_.exec("BEGIN IMMEDIATE");
  in_transaction_ = true;
}

bool Database::Commit() {
  if (!in_transaction_) return false;
  connection_.exec("COMMIT");
  in_transaction_ = false;
  return true;
}

void Database::Rollback() noexcept {
  for (auto& [sql, statement] : statements_) statement->tryReset();
  if (in_transaction_) connection_.tryExec("ROLLBACK");
  in_transaction_ = false;
}

}  // namespace roar::server
