#include <map>
#include <stdexcept>

#include "proto/convert.h"
#include "server/storage/control_store.h"

namespace roar::server {
namespace {

// Parses a stored message and turns it into the domain's type. What is stored was valid when written, so a failure
// means that the data base was written by something else.
template <class Message>
auto Stored(const SQLite::Column& column) {
  Message message;
  if (!message.ParseFromArray(column.getBlob(), column.getBytes()))
    throw std::runtime_error("a stored message is damaged");
  auto value = FromProto(message);
  if (!value.ok()) throw std::runtime_error("a stored message is invalid: " + std::string(value.status().message()));
  return *std::move(value);
}

template <class Value>
Value Known(const std::optional<Value>& value, const std::string& name) {
  if (!value.has_value()) throw std::runtime_error("unknown stored name '" + name + "'");
  return *value;
}

// Columns as in BindState, after the epoch; then the epoch of the accepted result.
schedule::JobState StateOf(SQLite::Statement& row, int first, std::int64_t epoch) {
  const std::string name = row.getColumn(first).getString();
  const schedule::Lease lease{row.getColumn(first + 1).getString(), row.getColumn(first + 2).getString(), epoch, {}};
  switch (Known(schedule::JobStateKindFromName(name), name)) {
    case schedule::JobStateKind::kPending:
      return schedule::Pending{};
    case schedule::JobStateKind::kReady:
      return schedule::Ready{};
    case schedule::JobStateKind::kLeased:
      return schedule::Leased{lease};
    case schedule::JobStateKind::kRunning:
      return schedule::Running{lease};
    case schedule::JobStateKind::kSucceeded:
      return schedule::Succeeded{row.getColumn(first + 3).getString(), row.getColumn(first + 7).getInt64()};
    case schedule::JobStateKind::kFailed: {
      const std::string kind = row.getColumn(first + 4).getString();
      return schedule::Failed{Known(schedule::FailureKindFromName(kind), kind), row.getColumn(first + 5).getString()};
    }
    case schedule::JobStateKind::kCanceled:
      return schedule::Canceled{};
    case schedule::JobStateKind::kAborted:
      return schedule::Aborted{row.getColumn(first + 6).getString()};
  }
  throw std::runtime_error("unreachable job state");
}

}  // namespace

std::vector<StoredSweep> ControlStore::Sweeps() {
  SQLite::Statement& row = database_->Prepared(
      "SELECT id, key, spec, submitted_unix_seconds, finished_unix_seconds, canceled FROM sweeps ORDER BY id");
  std::vector<StoredSweep> sweeps;
  while (row.executeStep()) {
    sweeps.push_back({row.getColumn(0).getInt64(), row.getColumn(1).getString(),
                      Stored<v1::SweepSpec>(row.getColumn(2)), row.getColumn(3).getInt64(), row.getColumn(4).getInt64(),
                      row.getColumn(5).getInt() != 0});
  }
  return sweeps;
}

schedule::AddSweep ControlStore::Members(const StoredSweep& stored) {
  SQLite::Statement& row =
      database_->Prepared("SELECT job_key, cached FROM sweep_members WHERE sweep_id = ? ORDER BY position");
  row.bind(1, stored.id);
  schedule::AddSweep sweep{stored.id, {}, stored.canceled};
  while (row.executeStep()) {
    sweep.members.push_back({JobKey(row.getColumn(0).getString()), row.getColumn(1).getInt() != 0});
  }
  return sweep;
}

std::vector<schedule::JobRecord> ControlStore::Jobs() {
  std::vector<schedule::JobRecord> jobs;
  std::map<JobKey, std::size_t> index;
  SQLite::Statement& row = database_->Prepared(
      "SELECT jobs.key, spec, jobs.epoch, state, worker, incarnation, output_sha256, failure_kind, failure_reason,"
      " cause_key, coalesce(results.epoch, 0) FROM jobs LEFT JOIN results ON results.job_key = jobs.key"
      " ORDER BY jobs.id");
  while (row.executeStep()) {
    schedule::JobRecord job;
    job.job.key = JobKey(row.getColumn(0).getString());
    job.job.spec = Stored<v1::JobSpec>(row.getColumn(1));
    job.last_epoch = row.getColumn(2).getInt64();
    job.state = StateOf(row, 3, job.last_epoch);
    index[job.job.key] = jobs.size();
    jobs.push_back(std::move(job));
  }
  SQLite::Statement& edge = database_->Prepared("SELECT job_key, input_key FROM job_inputs ORDER BY job_key, position");
  while (edge.executeStep()) {
    jobs[index.at(JobKey(edge.getColumn(0).getString()))].job.inputs.emplace_back(edge.getColumn(1).getString());
  }
  SQLite::Statement& failure = database_->Prepared("SELECT job_key, kind, attempts FROM job_failures");
  while (failure.executeStep()) {
    const std::string kind = failure.getColumn(1).getString();
    jobs[index.at(JobKey(failure.getColumn(0).getString()))]
        .failures[Known(schedule::FailureKindFromName(kind), kind)] = failure.getColumn(2).getInt();
  }
  return jobs;
}

std::optional<JobResult> ControlStore::Result(const JobKey& key) {
  SQLite::Statement& row = database_->Prepared("SELECT result FROM results WHERE job_key = ?");
  row.bind(1, key.hex());
  if (!row.executeStep()) return std::nullopt;
  JobResult result = Stored<v1::JobResult>(row.getColumn(0));
  row.reset();
  return result;
}

void ControlStore::ForEachResult(const std::function<void(const JobKey&, const JobResult&)>& visit) {
  SQLite::Statement& row = database_->Prepared("SELECT job_key, result FROM results");
  while (row.executeStep()) visit(JobKey(row.getColumn(0).getString()), Stored<v1::JobResult>(row.getColumn(1)));
}

std::int64_t ControlStore::SupersededCount() {
  return database_->connection().execAndGet("SELECT count(*) FROM superseded_results").getInt64();
}

std::vector<v1::DatasetInfo> ControlStore::Datasets() {
  SQLite::Statement& row = database_->Prepared("SELECT info FROM datasets ORDER BY name");
  std::vector<v1::DatasetInfo> datasets;
  while (row.executeStep()) {
    const SQLite::Column info = row.getColumn(0);
    if (!datasets.emplace_back().ParseFromArray(info.getBlob(), info.getBytes())) {
      throw std::runtime_error("a stored data set is damaged");
    }
  }
  return datasets;
}

std::optional<std::string> ControlStore::Reply(const std::string& request_id) {
  SQLite::Statement& row = database_->Prepared("SELECT reply FROM requests WHERE request_id = ?");
  row.bind(1, request_id);
  if (!row.executeStep()) return std::nullopt;
  std::string reply = row.getColumn(0).getString();
  row.reset();
  return reply;
}

}  // namespace roar::server
