#include <stdexcept>

#include "proto/convert.h"
#include "server/storage/control_store.h"

namespace roar::server {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

void BindBlob(SQLite::Statement& statement, int index, const std::string& bytes) {
  statement.bind(index, bytes.data(), static_cast<int>(bytes.size()));
}

// The columns of a state from `first` on: state, worker, incarnation, output_sha256, failure_kind, failure_reason,
// cause_key.
void BindState(SQLite::Statement& statement, int first, const schedule::JobState& state) {
  statement.bind(first, std::string(Name(KindOf(state))));
  for (int column = 1; column <= 6; ++column) statement.bind(first + column, "");
  if (const schedule::Lease* lease = LeaseOf(state)) {
    statement.bind(first + 1, lease->worker);
    statement.bind(first + 2, lease->incarnation);
  }
  if (const auto* succeeded = std::get_if<schedule::Succeeded>(&state)) {
    statement.bind(first + 3, succeeded->output_sha256);
  }
  if (const auto* failed = std::get_if<schedule::Failed>(&state)) {
    statement.bind(first + 4, std::string(Name(failed->kind)));
    statement.bind(first + 5, failed->reason);
  }
  if (const auto* aborted = std::get_if<schedule::Aborted>(&state)) statement.bind(first + 6, aborted->cause_key);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ControlStore>> ControlStore::Open(const std::filesystem::path& path) {
  absl::StatusOr<std::unique_ptr<Database>> database = Database::Open(path, kControlSchema);
  if (!database.ok()) return database.status();
  return std::unique_ptr<ControlStore>(new ControlStore(*std::move(database)));
}

SQLite::Statement& ControlStore::Write(const char* sql) {
  database_->Begin();
  return database_->Prepared(sql);
}

void ControlStore::InsertSweep(const StoredSweep& sweep) {
  SQLite::Statement& statement =
      Write("INSERT INTO sweeps (id, key, spec, submitted_unix_seconds) VALUES (?, ?, ?, ?)");
  statement.bind(1, sweep.id);
  statement.bind(2, sweep.key);
  BindBlob(statement, 3, ToProto(sweep.spec).SerializeAsString());
  statement.bind(4, sweep.submitted_unix_seconds);
  statement.exec();
}

void ControlStore::SetFinished(std::int64_t sweep_id, std::int64_t unix_seconds) {
  SQLite::Statement& statement = Write("UPDATE sweeps SET finished_unix_seconds = ? WHERE id = ?");
  statement.bind(1, unix_seconds);
  statement.bind(2, sweep_id);
  statement.exec();
}

void ControlStore::PutCanceled(const schedule::SetSweepCanceled& set) {
  SQLite::Statement& statement = Write("UPDATE sweeps SET canceled = ? WHERE id = ?");
  statement.bind(1, set.canceled ? 1 : 0);
  statement.bind(2, set.sweep_id);
  statement.exec();
}

void ControlStore::Put(const schedule::Change& change, std::int64_t now_unix_seconds) {
  std::visit(Overloaded{[&](const schedule::AddSweep& added) { PutMembers(added); },
                        [&](const schedule::SetSweepCanceled& set) { PutCanceled(set); },
                        [&](const schedule::AddJob& added) { PutJob(added); },
                        [&](const schedule::ChangeState& changed) { PutState(changed); },
                        [&](const schedule::AcceptResult& accepted) { PutResult(accepted, now_unix_seconds); },
                        [&](const schedule::SupersedeResult& result) { PutSuperseded(result, now_unix_seconds); },
                        // The specs of the shards say whose they are.
                        [](const schedule::SplitJob&) {}, [](const schedule::RenewLease&) {},
                        [](const schedule::EndBackoff&) {}, [](const schedule::SeeWorker&) {},
                        [](const schedule::ForgetWorker&) {}},
             change);
}

void ControlStore::PutMembers(const schedule::AddSweep& sweep) {
  std::int64_t position = 0;
  for (const schedule::AddSweep::Member& member : sweep.members) {
    SQLite::Statement& statement =
        Write("INSERT INTO sweep_members (sweep_id, position, job_key, cached) VALUES (?, ?, ?, ?)");
    statement.bind(1, sweep.sweep_id);
    statement.bind(2, position++);
    statement.bind(3, member.key.hex());
    statement.bind(4, member.cached ? 1 : 0);
    statement.exec();
  }
}

void ControlStore::PutJob(const schedule::AddJob& added) {
  SQLite::Statement& job = Write(
      "INSERT INTO jobs (key, kind, spec, state, worker, incarnation, output_sha256, failure_kind, failure_reason,"
      " cause_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  job.bind(1, added.job.key.hex());
  job.bind(2, std::string(Name(KindOf(added.job.spec))));
  BindBlob(job, 3, ToProto(added.job.spec).SerializeAsString());
  BindState(job, 4, added.state);
  job.exec();
  std::int64_t position = 0;
  for (const JobKey& input : added.job.inputs) {
    SQLite::Statement& edge = Write("INSERT INTO job_inputs (job_key, position, input_key) VALUES (?, ?, ?)");
    edge.bind(1, added.job.key.hex());
    edge.bind(2, position++);
    edge.bind(3, input.hex());
    edge.exec();
  }
}

void ControlStore::PutState(const schedule::ChangeState& change) {
  SQLite::Statement& job = Write(
      "UPDATE jobs SET epoch = ?2, state = ?3, worker = ?4, incarnation = ?5, output_sha256 = ?6, failure_kind = ?7,"
      " failure_reason = ?8, cause_key = ?9 WHERE key = ?1 AND epoch <= ?2");
  job.bind(1, change.key.hex());
  job.bind(2, change.last_epoch);
  BindState(job, 3, change.state);
  if (job.exec() != 1) throw std::runtime_error("job " + change.key.hex() + " is unknown or has a later lease");
  SQLite::Statement& forget = Write("DELETE FROM job_failures WHERE job_key = ?");
  forget.bind(1, change.key.hex());
  forget.exec();
  for (const auto& [kind, attempts] : change.failures) {
    SQLite::Statement& failure = Write("INSERT INTO job_failures (job_key, kind, attempts) VALUES (?, ?, ?)");
    failure.bind(1, change.key.hex());
    failure.bind(2, std::string(Name(kind)));
    failure.bind(3, attempts);
    failure.exec();
  }
}

// The fence: a result is stored only for a lease that was granted, and once (the primary key).
void ControlStore::PutResult(const schedule::AcceptResult& accepted, std::int64_t now_unix_seconds) {
  SQLite::Statement& statement = Write(
      "INSERT INTO results (job_key, result, epoch, late, accepted_unix_seconds)"
      " SELECT key, ?2, ?3, ?4, ?5 FROM jobs WHERE key = ?1 AND epoch >= ?3");
  statement.bind(1, accepted.key.hex());
  BindBlob(statement, 2, ToProto(accepted.result).SerializeAsString());
  statement.bind(3, accepted.epoch);
  statement.bind(4, accepted.late ? 1 : 0);
  statement.bind(5, now_unix_seconds);
  if (statement.exec() != 1) throw std::runtime_error("no lease " + std::to_string(accepted.epoch) + " was granted");
}

void ControlStore::PutSuperseded(const schedule::SupersedeResult& superseded, std::int64_t now_unix_seconds) {
  SQLite::Statement& statement =
      Write("INSERT INTO superseded_results (job_key, epoch, reason, superseded_unix_seconds) VALUES (?, ?, ?, ?)");
  statement.bind(1, superseded.key.hex());
  statement.bind(2, superseded.epoch);
  statement.bind(3, superseded.reason);
  statement.bind(4, now_unix_seconds);
  statement.exec();
}

void ControlStore::PutDataset(const v1::DatasetInfo& dataset) {
  SQLite::Statement& statement =
      Write("INSERT INTO datasets (name, info) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET info = excluded.info");
  statement.bind(1, dataset.name());
  BindBlob(statement, 2, dataset.SerializeAsString());
  statement.exec();
}

void ControlStore::PutReply(const std::string& request_id, const std::string& reply, std::int64_t now_unix_seconds) {
  SQLite::Statement& statement =
      Write("INSERT INTO requests (request_id, reply, answered_unix_seconds) VALUES (?, ?, ?)");
  statement.bind(1, request_id);
  BindBlob(statement, 2, reply);
  statement.bind(3, now_unix_seconds);
  statement.exec();
}

void ControlStore::ForgetRepliesBefore(std::int64_t unix_seconds) {
  SQLite::Statement& statement = Write("DELETE FROM requests WHERE answered_unix_seconds < ?");
  statement.bind(1, unix_seconds);
  statement.exec();
}

}  // namespace roar::server
