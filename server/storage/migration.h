#pragma once

#include <span>

namespace roar::server {

// One step of a schema's history. The SQL brings `version - 1` to `version`; a released step is never edited.
struct Migration {
  int version = 0;
  const char* sql = nullptr;
};

// A data base of ours: what its file says it is, and every step from an empty file to today, in order from 1.
struct Schema {
  const char* name = nullptr;
  int application_id = 0;
  std::span<const Migration* const> migrations;
};

// Sweeps, jobs, results, names: what the coordinator must remember.
extern const Schema kControlSchema;
// Rankings, apart from the control data so that a blob never delays a heartbeat.
extern const Schema kBlobSchema;

}  // namespace roar::server
