#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/schedule/scheduler.h"
#include "proto/roar/v1/dataset_service.pb.h"
#include "server/storage/database.h"

namespace roar::server {

struct StoredSweep {
  std::int64_t id = 0;
  // SweepKey of the spec, which is stored as a v1.SweepSpec.
  std::string key;
  SweepSpec spec;
  std::int64_t submitted_unix_seconds = 0;
  // 0 while unfinished.
  std::int64_t finished_unix_seconds = 0;
  bool canceled = false;
};

// The control data: what survives the coordinator. Owned by the coordinator's thread. Writes are collected in one
// transaction, opened by the first and ended by Commit(). Everything throws SQLite::Exception, or std::runtime_error
// for rows that this program did not write.
class ControlStore {
 public:
  static absl::StatusOr<std::unique_ptr<ControlStore>> Open(const std::filesystem::path& path);

  // False when nothing was written.
  bool Commit() { return database_->Commit(); }
  void Rollback() noexcept { database_->Rollback(); }

  // A new sweep, unfinished; comes before the changes that fill it.
  void InsertSweep(const StoredSweep& sweep);
  // 0 when it goes on.
  void SetFinished(std::int64_t sweep_id, std::int64_t unix_seconds);
  // Stores what a change leaves behind; `now_unix_seconds` dates results. A change of memory only stores nothing.
  void Put(const schedule::Change& change, std::int64_t now_unix_seconds);
  void PutDataset(const v1::DatasetInfo& dataset);
  void PutReply(const std::string& request_id, const std::string& reply, std::int64_t now_unix_seconds);
  void ForgetRepliesBefore(std::int64_t unix_seconds);

  std::vector<StoredSweep> Sweeps();
  schedule::AddSweep Members(const StoredSweep& sweep);
  // In an order in which every job comes after its inputs. Leases come back without their end, and what derives
  // from other jobs and sweeps is left to Scheduler::FinishRestore().
  std::vector<schedule::JobRecord> Jobs();
  std::optional<JobResult> Result(const JobKey& key);
  void ForEachResult(const std::function<void(const JobKey&, const JobResult&)>& visit);
  std::int64_t SupersededCount();
  std::vector<v1::DatasetInfo> Datasets();
  std::optional<std::string> Reply(const std::string& request_id);

 private:
  explicit ControlStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  // A prepared statement within the open transaction.
  SQLite::Statement& Write(const char* sql);
  void PutCanceled(const schedule::SetSweepCanceled& set);
  void PutMembers(const schedule::AddSweep& sweep);
  void PutJob(const schedule::AddJob& added);
  void PutState(const schedule::ChangeState& change);
  void PutResult(const schedule::AcceptResult& accepted, std::int64_t now_unix_seconds);
  void PutSuperseded(const schedule::SupersedeResult& superseded, std::int64_t now_unix_seconds);

  std::unique_ptr<Database> database_;
};

}  // namespace roar::server
