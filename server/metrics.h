#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <cstdint>
#include <string>

#include "core/experiment/job_spec.h"
#include "core/schedule/job_state.h"

namespace roar::server {

// What one batch of decisions did; counted once it is durable.
struct TransitionCounts {
  // By JobKind, then JobStateKind of the end.
  std::array<std::array<std::int64_t, 8>, kJobKindCount> finished{};
  std::array<double, kJobKindCount> device_seconds{};
  std::int64_t leases_granted = 0;
  std::int64_t lease_expirations = 0;
  std::int64_t superseded = 0;
};

// What is at one moment.
struct Gauges {
  std::array<std::int64_t, 8> jobs{};
  std::int64_t workers_active = 0;
  std::int64_t workers_draining = 0;
  std::int64_t sweeps_running = 0;
  std::int64_t sweeps_finished = 0;
};

enum class Direction { kUpload, kDownload };

// Every time series of the coordinator; docs/metrics.md describes them. Labels have few values, and never a job, sweep,
// seed or hash. Thread-safe.
class Metrics {
 public:
  explicit Metrics(const std::string& version);

  void Count(const TransitionCounts& counts);
  void CountCommit(double seconds, std::int64_t batch_size);
  void CountRpc(const std::string& method, const std::string& code);
  void CountArtifactBytes(Direction direction, std::int64_t bytes);
  void Set(const Gauges& gauges);
  void SetFreeDisk(std::int64_t bytes);

  // The text exposition format of Prometheus.
  std::string Text() const;

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Gauge>& jobs_;
  prometheus::Family<prometheus::Counter>& jobs_finished_;
  prometheus::Family<prometheus::Counter>& device_seconds_;
  prometheus::Counter& leases_granted_;
  prometheus::Counter& lease_expirations_;
  prometheus::Counter& superseded_;
  prometheus::Family<prometheus::Gauge>& workers_;
  prometheus::Family<prometheus::Gauge>& sweeps_;
  prometheus::Histogram& commit_seconds_;
  prometheus::Histogram& commit_batch_size_;
  prometheus::Family<prometheus::Counter>& rpcs_;
  prometheus::Family<prometheus::Counter>& artifact_bytes_;
  prometheus::Gauge& free_disk_bytes_;
};

}  // namespace roar::server
