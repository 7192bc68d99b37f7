#include "server/metrics.h"

#include <prometheus/text_serializer.h>

namespace roar::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

constexpr JobKind kKinds[] = {JobKind::kTrain, JobKind::kExplain, JobKind::kExplainShard};
constexpr std::size_t kStateCount = 8;

prometheus::Family<prometheus::Counter>& CounterFamily(prometheus::Registry& registry, const char* name,
                                                       const char* help) {
  return BuildCounter().Name(name).Help(help).Register(registry);
}

prometheus::Family<prometheus::Gauge>& GaugeFamily(prometheus::Registry& registry, const char* name, const char* help) {
  return BuildGauge().Name(name).Help(help).Register(registry);
}

std::string StateName(std::size_t state) {
  return std::string(schedule::Name(static_cast<schedule::JobStateKind>(state)));
}

}  // namespace

Metrics::Metrics(const std::string& version)
    : jobs_(GaugeFamily(registry_, "roar_jobs", "Jobs by state.")),
      jobs_finished_(CounterFamily(registry_, "roar_jobs_finished_total", "Jobs that ended, by kind and outcome.")),
      device_seconds_(CounterFamily(registry_, "roar_job_device_seconds_total",
                                    "Seconds that accepted results took on a worker's slot, by kind of job.")),
      leases_granted_(CounterFamily(registry_, "roar_leases_granted_total", "Leases given to workers.").Add({})),
      lease_expirations_(
          CounterFamily(registry_, "roar_lease_expirations_total", "Leases that ended unrenewed.").Add({})),
      superseded_(CounterFamily(registry_, "roar_results_superseded_total",
                                "Results that were not taken because of a stale lease or other inputs.")
                      .Add({})),
      workers_(GaugeFamily(registry_, "roar_workers", "Known workers by state.")),
      sweeps_(GaugeFamily(registry_, "roar_sweeps", "Sweeps by state.")),
      commit_seconds_(BuildHistogram()
                          .Name("roar_commit_seconds")
                          .Help("Duration of a batch of decisions, from the first to its durable commit.")
                          .Register(registry_)
                          .Add({}, prometheus::Histogram::BucketBoundaries{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                                           0.05, 0.1, 0.25, 1, 5})),
      commit_batch_size_(BuildHistogram()
                             .Name("roar_commit_batch_size")
                             .Help("Requests that shared one transaction.")
                             .Register(registry_)
                             .Add({}, prometheus::Histogram::BucketBoundaries{1, 2, 4, 8, 16, 32, 64, 128, 256})),
      rpcs_(CounterFamily(registry_, "roar_rpcs_total", "Answered calls by method and status code.")),
      artifact_bytes_(
          CounterFamily(registry_, "roar_artifact_bytes_total", "Bytes of artifacts that travelled, by direction.")),
      free_disk_bytes_(
          GaugeFamily(registry_, "roar_free_disk_bytes", "Free bytes on the disk of the state folder.").Add({})) {
  GaugeFamily(registry_, "roar_build_info", "1, with the version of the coordinator.")
      .Add({{"version", version}})
      .Set(1);
}

void Metrics::Count(const TransitionCounts& counts) {
  for (JobKind kind : kKinds) {
    const auto row = static_cast<std::size_t>(kind);
    for (std::size_t state = 0; state < kStateCount; ++state) {
      if (counts.finished[row][state] == 0) continue;
      jobs_finished_.Add({{"kind", std::string(Name(kind))}, {"outcome", StateName(state)}})
          .Increment(static_cast<double>(counts.finished[row][state]));
    }
    if (counts.device_seconds[row] > 0) {
      device_seconds_.Add({{"kind", std::string(Name(kind))}}).Increment(counts.device_seconds[row]);
    }
  }
  leases_granted_.Increment(static_cast<double>(counts.leases_granted));
  lease_expirations_.Increment(static_cast<double>(counts.lease_expirations));
  superseded_.Increment(static_cast<double>(counts.superseded));
}

void Metrics::CountCommit(double seconds, std::int64_t batch_size) {
  commit_seconds_.Observe(seconds);
  commit_batch_size_.Observe(static_cast<double>(batch_size));
}

void Metrics::CountRpc(const std::string& method, const std::string& code) {
  rpcs_.Add({{"method", method}, {"code", code}}).Increment();
}

void Metrics::CountArtifactBytes(Direction direction, std::int64_t bytes) {
  artifact_bytes_.Add({{"direction", direction == Direction::kUpload ? "upload" : "download"}})
      .Increment(static_cast<double>(bytes));
}

void Metrics::Set(const Gauges& gauges) {
  for (std::size_t state = 0; state < kStateCount; ++state) {
    jobs_.Add({{"state", StateName(state)}}).Set(static_cast<double>(gauges.jobs[state]));
  }
  workers_.Add({{"state", "active"}}).Set(static_cast<double>(gauges.workers_active));
  workers_.Add({{"state", "draining"}}).Set(static_cast<double>(gauges.workers_draining));
  sweeps_.Add({{"state", "running"}}).Set(static_cast<double>(gauges.sweeps_running));
  sweeps_.Add({{"state", "finished"}}).Set(static_cast<double>(gauges.sweeps_finished));
}

void Metrics::SetFreeDisk(std::int64_t bytes) { free_disk_bytes_.Set(static_cast<double>(bytes)); }

std::string Metrics::Text() const { return prometheus::TextSerializer().Serialize(registry_.Collect()); }

}  // namespace roar::server
