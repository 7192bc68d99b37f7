#pragma once

#include <string>

#include "client/output/json.h"
#include "proto/roar/v1/job.pb.h"

// Where the time of a finished job went: what was arithmetic, and what was not.

namespace roar::output {

// A row per part of the job (start-up, data, arithmetic, upload) and below it per phase, with its share of the total.
// Empty when no times are known.
std::string TimeTable(const v1::Provenance& provenance);

// Seconds by part: "start_up", "data", "arithmetic", "upload", "total"; "other" when a newer worker names phases that
// are unknown here.
Json SecondsByPart(const v1::Provenance& provenance);

}  // namespace roar::output
