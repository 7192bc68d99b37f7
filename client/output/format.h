#pragma once

#include <cstdint>
#include <string>

#include "proto/roar/v1/sweep_service.pb.h"

// How single values are written for people.

namespace roar::output {

// A fraction in percent with one decimal, without the sign: 0.5 is "50.0".
std::string Percent(double fraction);

// "97.3 [96.1, 98.2]" in percent; only the mean when there is no interval.
std::string PercentWithInterval(const v1::MeanInterval& interval);

// "45 s", "3 min", "2 h 10 min": rounded to what one wants to know.
std::string Duration(double seconds);

// "0.4 KB", "40.3 KB", "1.2 MB", "3.0 GB": of a file, a disk, memory, in powers of 1000.
std::string FileSize(std::int64_t bytes);

// UTC: "2025-01-31 12:00:00Z"; "-" for 0.
std::string UtcTime(std::int64_t unix_seconds);

// "running", "succeeded", "failed", "canceled"; also the words of the JSON output.
std::string SweepStateName(v1::SweepState state);

// Nothing goes on, as no worker is there to do it. A coordinator that has just started knows no worker, but what they
// hold.
bool LacksWorker(const v1::SweepInfo& sweep);
// What to do about that.
inline constexpr char kNoWorker[] = "no worker is connected; start one with: roar-worker, or use: roar run";

std::int64_t JobsTotal(const v1::JobCounts& jobs);
// Those whose result is there, new or known before.
std::int64_t JobsDone(const v1::JobCounts& jobs);

}  // namespace roar::output
