#include "client/output/json.h"

#include <map>

#include "client/output/format.h"
#include "client/output/job_times.h"

namespace roar::output {
namespace {

// Curve, RacuResult and CellProgress name their cell alike.
template <typename Message>
Json CellJson(const Message& cell) {
  return {
      {"dataset", cell.dataset()}, {"model", cell.model()}, {"measure", cell.measure()}, {"strategy", cell.strategy()}};
}

void AddInterval(Json& json, const v1::MeanInterval& interval, bool has_value) {
  const bool has_interval = has_value && interval.has_interval();
  json["mean"] = has_value ? Json(interval.mean()) : Json();
  json["ci_low"] = has_interval ? Json(interval.ci_low()) : Json();
  json["ci_high"] = has_interval ? Json(interval.ci_high()) : Json();
}

template <typename Values>
Json PerSeedJson(const Values& values) {
  Json list = Json::array();
  for (const v1::SeedValue& value : values) list.push_back({{"seed", value.seed()}, {"value", value.value()}});
  return list;
}

Json CurveJson(const v1::Curve& curve, const std::string& step_key) {
  Json json = CellJson(curve);
  json["metric"] = curve.metric();
  json["points"] = Json::array();
  for (const v1::CurvePoint& point : curve.points()) {
    Json point_json = {{step_key, point.step()}};
    AddInterval(point_json, point.interval(), point.per_seed_size() > 0);
    point_json["per_seed"] = PerSeedJson(point.per_seed());
    json["points"].push_back(std::move(point_json));
  }
  return json;
}

Json CountsJson(const v1::JobCounts& jobs) {
  return {{"total", JobsTotal(jobs)}, {"pending", jobs.pending()},   {"ready", jobs.ready()},
          {"leased", jobs.leased()},  {"running", jobs.running()},   {"succeeded", jobs.succeeded()},
          {"failed", jobs.failed()},  {"canceled", jobs.canceled()}, {"aborted", jobs.aborted()},
          {"cached", jobs.cached()}};
}

Json MetricsJson(const v1::TrainResult& train) {
  Json list = Json::array();
  for (const v1::SplitMetrics& split : train.metrics()) {
    list.push_back({{"split", split.split()},
                    {"examples", split.examples()},
                    {"examples_without_maskable_token", split.examples_without_maskable_token()},
                    {"loss", split.loss()},
                    {"accuracy", split.accuracy()},
                    {"macro_f1", split.macro_f1()},
                    {"micro_f1", split.micro_f1()},
                    {"auroc", split.has_auroc() ? Json(split.auroc()) : Json()}});
  }
  return list;
}

Json ResultJson(const v1::JobResult& result) {
  Json json = Json::object();
  if (result.has_train()) {
    json["best_epoch"] = result.train().best_epoch();
    json["epochs_run"] = result.train().epochs_run();
    json["metrics"] = MetricsJson(result.train());
    json["checkpoint_sha256"] = result.train().checkpoint_sha256();
  }
  if (result.has_explain()) json["ranking_sha256"] = result.explain().ranking_sha256();
  const v1::Provenance& provenance = result.provenance();
  const std::map<std::string, double> seconds(provenance.seconds_by_phase().begin(),
                                              provenance.seconds_by_phase().end());
  json["provenance"] = {{"worker", provenance.worker()},
                        {"device_kind", provenance.device_kind()},
                        {"software", provenance.software()},
                        {"threads", provenance.threads()},
                        {"peak_memory_bytes", provenance.peak_memory_bytes()},
                        {"seconds_by_phase", seconds},
                        {"seconds_by_part", SecondsByPart(provenance)}};
  return json;
}

}  // namespace

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json SweepHeadJson(const v1::SweepInfo& sweep) {
  return {{"id", sweep.id()}, {"name", sweep.name()}, {"state", SweepStateName(sweep.state())}};
}

Json SweepSummaryJson(const v1::SweepInfo& sweep) {
  Json json = SweepHeadJson(sweep);
  json["jobs"] = CountsJson(sweep.jobs());
  json["submitted_unix_seconds"] = sweep.submitted_unix_seconds();
  json["finished_unix_seconds"] = sweep.finished_unix_seconds() > 0 ? Json(sweep.finished_unix_seconds()) : Json();
  json["eta_seconds"] = sweep.eta_seconds() >= 0 ? Json(sweep.eta_seconds()) : Json();
  json["workers"] = sweep.workers();
  return json;
}

Json SweepJson(const v1::SweepInfo& sweep) {
  Json json = SweepSummaryJson(sweep);
  json["cells"] = Json::array();
  for (const v1::CellProgress& cell : sweep.cells()) {
    Json cell_json = CellJson(cell);
    cell_json["points_done"] = cell.points_done();
    cell_json["points_total"] = cell.points_total();
    json["cells"].push_back(std::move(cell_json));
  }
  json["running"] = Json::array();
  for (const v1::RunningJobInfo& job : sweep.running()) {
    json["running"].push_back({{"key", job.key()},
                               {"description", job.description()},
                               {"worker", job.worker()},
                               {"phase", job.phase()},
                               {"progress", job.progress()}});
  }
  json["failures"] = Json::array();
  for (const v1::FailedJobInfo& job : sweep.failures()) {
    json["failures"].push_back(
        {{"key", job.key()}, {"description", job.description()}, {"kind", job.kind()}, {"reason", job.reason()}});
  }
  return json;
}

Json CurvesJson(const v1::GetResultsResponse& results) {
  const std::string step_key = results.unit() == "counts" ? "count" : "ratio_percent";
  Json list = Json::array();
  for (const v1::Curve& curve : results.curves()) list.push_back(CurveJson(curve, step_key));
  return list;
}

Json RacuJson(const v1::GetResultsResponse& results) {
  if (results.unit() == "counts") return nullptr;
  Json list = Json::array();
  for (const v1::RacuResult& result : results.racu()) {
    Json json = CellJson(result);
    AddInterval(json, result.racu(), result.racu_per_seed_size() > 0);
    json["per_seed"] = PerSeedJson(result.racu_per_seed());
    json["missing"] = Json::array();
    for (const v1::MissingSeed& missing : result.missing()) {
      json["missing"].push_back({{"seed", missing.seed()}, {"reason", missing.reason()}});
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json DatasetJson(const v1::DatasetInfo& dataset) {
  Json splits = Json::object();
  for (const v1::SplitSummary& split : dataset.splits()) {
    splits[split.split()] = {
        {"examples", split.examples()},
        {"labels", std::map<std::string, std::int64_t>(split.labels().begin(), split.labels().end())},
        {"mean_tokens", split.mean_tokens()},
        {"longest_tokens", split.longest_tokens()}};
  }
  return {{"name", dataset.name()},
          {"content_sha256", dataset.content_sha256()},
          {"splits", std::move(splits)},
          {"origin", dataset.origin()}};
}

Json JobJson(const v1::JobInfo& job) {
  Json json = {{"key", job.key()},
               {"description", job.description()},
               {"state", job.state()},
               {"starts", job.starts()},
               {"input_keys", std::vector<std::string>(job.input_keys().begin(), job.input_keys().end())},
               {"waits_for", job.waits_for()}};
  json["result"] = job.has_result() ? ResultJson(job.result()) : Json();
  json["failure"] =
      job.has_failure() ? Json{{"kind", job.failure().kind()}, {"reason", job.failure().reason()}} : Json();
  return json;
}

Json WorkerJson(const v1::WorkerInfo& worker) {
  return {{"name", worker.name()},
          {"slots", worker.slots()},
          {"running_jobs", worker.running_jobs()},
          {"draining", worker.draining()},
          {"device_kind", worker.device_kind()},
          {"software_version", worker.software_version()},
          {"seconds_since_seen", worker.seconds_since_seen()},
          {"job_keys", std::vector<std::string>(worker.job_keys().begin(), worker.job_keys().end())}};
}

Json ServerInfoJson(const v1::GetServerInfoResponse& info) {
  return {{"address", info.address()}, {"http_address", info.http_address()}, {"access_file", info.access_file()},
          {"version", info.version()}, {"state_folder", info.state_folder()}, {"process_id", info.process_id()}};
}

}  // namespace roar::output
