#include "server/storage/migrations/migrations.h"

namespace roar::server {

// Times are whole seconds since 1970, UTC; blobs are protobuf messages of roar.v1, keys and hashes hexadecimal text.
const Migration kControl0001Initial = {1, R"sql(
CREATE TABLE sweeps (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  spec BLOB NOT NULL,
  submitted_unix_seconds INTEGER NOT NULL,
  finished_unix_seconds INTEGER NOT NULL DEFAULT 0,
  canceled INTEGER NOT NULL DEFAULT 0 CHECK (canceled IN (0, 1))
) STRICT;

-- In the order of their ids every job comes after its inputs. The columns after `epoch` are filled where the state has
-- them.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  spec BLOB NOT NULL,
  state TEXT NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '',
  incarnation TEXT NOT NULL DEFAULT '',
  output_sha256 TEXT NOT NULL DEFAULT '',
  failure_kind TEXT NOT NULL DEFAULT '',
  failure_reason TEXT NOT NULL DEFAULT '',
  cause_key TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE job_inputs (
  job_key TEXT NOT NULL REFERENCES jobs (key),
  position INTEGER NOT NULL,
  input_key TEXT NOT NULL REFERENCES jobs (key) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (job_key, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_failures (
  job_key TEXT NOT NULL REFERENCES jobs (key),
  kind TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (job_key, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_members (
  sweep_id INTEGER NOT NULL REFERENCES sweeps (id),
  position INTEGER NOT NULL,
  job_key TEXT NOT NULL REFERENCES jobs (key) DEFERRABLE INITIALLY DEFERRED,
  cached INTEGER NOT NULL CHECK (cached IN (0, 1)),
  PRIMARY KEY (sweep_id, position)
) STRICT, WITHOUT ROWID;

-- A job has one result for ever: the key makes a second one an error.
CREATE TABLE results (
  job_key TEXT PRIMARY KEY REFERENCES jobs (key),
  result BLOB NOT NULL,
  epoch INTEGER NOT NULL,
  late INTEGER NOT NULL CHECK (late IN (0, 1)),
  accepted_unix_seconds INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Reports that were not taken. The job may be unknown, hence no reference.
CREATE TABLE superseded_results (
  id INTEGER PRIMARY KEY,
  job_key TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  reason TEXT NOT NULL,
  superseded_unix_seconds INTEGER NOT NULL
) STRICT;

CREATE TABLE datasets (
  name TEXT PRIMARY KEY,
  info BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Replies to mutations by the caller's request id, so that a repeated call has the effect of one.
CREATE TABLE requests (
  request_id TEXT PRIMARY KEY,
  reply BLOB NOT NULL,
  answered_unix_seconds INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql"};

}  // namespace roar::server
