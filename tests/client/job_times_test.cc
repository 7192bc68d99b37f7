#include "client/output/job_times.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

#include "client/output/report.h"

namespace roar::output {
namespace {

using testing::HasSubstr;
using testing::Not;

v1::JobInfo JobWith(const std::map<std::string, double>& seconds) {
  v1::JobInfo job;
  v1::Provenance& provenance = *job.mutable_result()->mutable_provenance();
  provenance.mutable_seconds_by_phase()->insert(seconds.begin(), seconds.end());
  provenance.set_peak_memory_bytes(300 << 20);
  return job;
}

const std::map<std::string, double> kFirstJob = {{"starting", 1},    {"fetching", 0.25},  {"decoding", 0.75},
                                                 {"training", 6.5},  {"evaluating", 0.5}, {"writing", 0.25},
                                                 {"uploading", 0.75}};

TEST(JobTimesTest, EachPartOfAJobIsShownWithItsShare) {
  EXPECT_THAT(JobReport(JobWith(kFirstJob)), HasSubstr("\nTIME          SECONDS  SHARE %\n"
                                                       "start-up        1.000     10.0\n"
                                                       "  starting      1.000     10.0\n"
                                                       "data            1.000     10.0\n"
                                                       "  fetching      0.250      2.5\n"
                                                       "  decoding      0.750      7.5\n"
                                                       "arithmetic      7.000     70.0\n"
                                                       "  training      6.500     65.0\n"
                                                       "  evaluating    0.500      5.0\n"
                                                       "upload          1.000     10.0\n"
                                                       "  writing       0.250      2.5\n"
                                                       "  uploading     0.750      7.5\n"
                                                       "total          10.000    100.0\n"));
  EXPECT_THAT(JobReport(JobWith(kFirstJob)), HasSubstr("peak memory  300 MiB\n"));
}

TEST(JobTimesTest, JsonHasThePartsInSeconds) {
  const Json provenance = JobJson(JobWith(kFirstJob)).at("result").at("provenance");
  EXPECT_EQ(provenance.at("seconds_by_part"),
            Json({{"start_up", 1.0}, {"data", 1.0}, {"arithmetic", 7.0}, {"upload", 1.0}, {"total", 10.0}}));
  EXPECT_EQ(provenance.at("seconds_by_phase"), Json(kFirstJob));
  EXPECT_EQ(provenance.at("peak_memory_bytes"), Json(300 << 20));
}

TEST(JobTimesTest, AWarmRunnerHasNoStartUp) {
  const v1::JobInfo job = JobWith({{"fetching", 0.5}, {"explaining", 1.5}});
  EXPECT_THAT(JobReport(job), HasSubstr("start-up        0.000      0.0\ndata"));
  EXPECT_EQ(SecondsByPart(job.result().provenance()).at("start_up"), Json(0.0));
}

TEST(JobTimesTest, WhatOlderAndNewerWorkersNameCounts) {
  const v1::JobInfo job = JobWith({{"staging", 1}, {"training", 2}, {"compiling", 1}});
  const Json parts = SecondsByPart(job.result().provenance());
  EXPECT_EQ(parts.at("data"), Json(1.0));
  EXPECT_EQ(parts.at("other"), Json(1.0));
  EXPECT_EQ(parts.at("total"), Json(4.0));
}

TEST(JobTimesTest, AJobWithoutTimesHasNoTable) {
  EXPECT_EQ(TimeTable({}), "");
  EXPECT_THAT(JobReport({}), Not(HasSubstr("TIME")));
}

}  // namespace
}  // namespace roar::output
