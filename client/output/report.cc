#include "client/output/report.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client/output/format.h"
#include "client/output/job_times.h"
#include "client/output/table.h"

namespace roar::output {
namespace {

constexpr auto kRight = Table::Align::kRight;

std::string Lines(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::size_t longest = 0;
  for (const auto& [name, value] : fields) longest = std::max(longest, name.size());
  std::string text;
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    absl::StrAppend(&text, name, std::string(longest - name.size() + 2, ' '), Printable(value), "\n");
  }
  return text;
}

std::string JobsInWords(const v1::JobCounts& jobs) {
  std::string text = absl::StrCat(JobsDone(jobs), " of ", JobsTotal(jobs), " done");
  const std::pair<const char*, std::int64_t> counts[] = {{"cached", jobs.cached()},   {"failed", jobs.failed()},
                                                         {"aborted", jobs.aborted()}, {"canceled", jobs.canceled()},
                                                         {"running", jobs.running()}, {"leased", jobs.leased()},
                                                         {"ready", jobs.ready()},     {"pending", jobs.pending()}};
  for (const auto& [name, count] : counts) {
    if (count > 0) absl::StrAppend(&text, ", ", count, " ", name);
  }
  return text;
}

std::string FirstDigits(const std::string& hash) { return hash.substr(0, 12); }

// A row per class, a column per split.
std::string ClassTable(const v1::DatasetInfo& dataset) {
  constexpr std::size_t kClassesShown = 40;
  std::vector<Table::Column> columns = {{"CLASS"}};
  std::set<std::string> labels;
  for (const v1::SplitSummary& split : dataset.splits()) {
    columns.push_back({absl::AsciiStrToUpper(split.split()), kRight});
    for (const auto& [label, examples] : split.labels()) labels.insert(label);
  }
  Table table(std::move(columns));
  std::size_t shown = 0;
  for (const std::string& label : labels) {
    if (shown++ == kClassesShown) break;
    std::vector<std::string> cells = {label};
    for (const v1::SplitSummary& split : dataset.splits()) {
      const auto found = split.labels().find(label);
      cells.push_back(absl::StrCat(found == split.labels().end() ? 0 : found->second));
    }
    table.AddRow(std::move(cells));
  }
  const std::size_t rest = labels.size() - std::min(labels.size(), kClassesShown);
  return rest == 0 ? table.Render() : absl::StrCat(table.Render(), "and ", rest, " more\n");
}

std::string CellTable(const v1::SweepInfo& sweep) {
  Table table({{"DATA SET"}, {"MODEL"}, {"STRATEGY"}, {"MEASURE"}, {"POINTS", kRight}});
  for (const v1::CellProgress& cell : sweep.cells()) {
    table.AddRow({cell.dataset(), cell.model(), cell.strategy(), cell.measure(),
                  absl::StrCat(cell.points_done(), "/", cell.points_total())});
  }
  return table.empty() ? "" : absl::StrCat("\n", table.Render());
}

std::string RunningTable(const v1::SweepInfo& sweep) {
  Table table({{"RUNNING"}, {"JOB"}, {"WORKER"}, {"PHASE"}, {"DONE", kRight}});
  for (const v1::RunningJobInfo& job : sweep.running()) {
    table.AddRow({FirstDigits(job.key()), job.description(), job.worker(), job.phase(),
                  absl::StrCat(Percent(job.progress()), " %")});
  }
  return table.empty() ? "" : absl::StrCat("\n", table.Render());
}

std::string FailureTable(const v1::SweepInfo& sweep) {
  Table table({{"FAILED"}, {"JOB"}, {"KIND"}, {"REASON"}});
  for (const v1::FailedJobInfo& job : sweep.failures()) {
    table.AddRow({FirstDigits(job.key()), job.description(), job.kind(), job.reason()});
  }
  return table.empty() ? "" : absl::StrCat("\n", table.Render());
}

std::string MetricsTable(const v1::TrainResult& train) {
  Table table({{"SPLIT"},
               {"EXAMPLES", kRight},
               {"LOSS", kRight},
               {"ACCURACY", kRight},
               {"MACRO F1", kRight},
               {"MICRO F1", kRight},
               {"AUROC", kRight}});
  for (const v1::SplitMetrics& split : train.metrics()) {
    table.AddRow({split.split(), absl::StrCat(split.examples()), absl::StrCat(split.loss()), Percent(split.accuracy()),
                  Percent(split.macro_f1()), Percent(split.micro_f1()),
                  split.has_auroc() ? Percent(split.auroc()) : "-"});
  }
  return table.empty() ? "" : absl::StrCat("\n", table.Render());
}

// Empty for a job that trained nothing.
std::string Epochs(const v1::TrainResult& result) {
  if (result.epochs_run() == 0) return "";
  return absl::StrCat(result.epochs_run(), " run, number ", result.best_epoch(), " kept");
}

std::string Mebibytes(std::int64_t bytes) { return bytes == 0 ? "" : absl::StrCat((bytes + (1 << 19)) >> 20, " MiB"); }

}  // namespace

std::string SweepTable(const std::vector<v1::SweepInfo>& sweeps) {
  if (sweeps.empty()) return "no sweeps yet; start one with: roar run FILE\n";
  Table table({{"ID", kRight}, {"NAME"}, {"STATE"}, {"JOBS", kRight}, {"FAILED", kRight}, {"SUBMITTED"}});
  for (const v1::SweepInfo& sweep : sweeps) {
    table.AddRow({absl::StrCat(sweep.id()), sweep.name(), SweepStateName(sweep.state()),
                  absl::StrCat(JobsDone(sweep.jobs()), "/", JobsTotal(sweep.jobs())),
                  absl::StrCat(sweep.jobs().failed() + sweep.jobs().aborted()),
                  UtcTime(sweep.submitted_unix_seconds())});
  }
  return table.Render();
}

std::string SweepReport(const v1::SweepInfo& sweep) {
  const bool has_eta = sweep.state() == v1::SWEEP_STATE_RUNNING && sweep.eta_seconds() >= 0;
  return absl::StrCat(Lines({{"sweep", absl::StrCat(sweep.id(), " ", sweep.name())},
                             {"state", SweepStateName(sweep.state())},
                             {"jobs", JobsInWords(sweep.jobs())},
                             {"submitted", UtcTime(sweep.submitted_unix_seconds())},
                             {"finished", UtcTime(sweep.finished_unix_seconds())},
                             {"idle", LacksWorker(sweep) ? kNoWorker : ""},
                             {"time left", has_eta ? absl::StrCat("about ", Duration(sweep.eta_seconds())) : ""}}),
                      CellTable(sweep), RunningTable(sweep), FailureTable(sweep));
}

std::string DatasetTable(const std::vector<v1::DatasetInfo>& datasets) {
  if (datasets.empty()) return "no data sets yet; import one with: roar data import NAME PATH\n";
  Table table({{"NAME"}, {"EXAMPLES", kRight}, {"CONTENT"}, {"ORIGIN"}});
  for (const v1::DatasetInfo& dataset : datasets) {
    std::int64_t examples = 0;
    for (const v1::SplitSummary& split : dataset.splits()) examples += split.examples();
    table.AddRow({dataset.name(), absl::StrCat(examples), FirstDigits(dataset.content_sha256()), dataset.origin()});
  }
  return table.Render();
}

std::string DatasetReport(const v1::DatasetInfo& dataset) {
  Table table({{"SPLIT"}, {"EXAMPLES", kRight}, {"CLASSES", kRight}, {"MEAN TOKENS", kRight}, {"LONGEST", kRight}});
  for (const v1::SplitSummary& split : dataset.splits()) {
    table.AddRow({split.split(), absl::StrCat(split.examples()), absl::StrCat(split.labels_size()),
                  absl::StrCat(split.mean_tokens()), absl::StrCat(split.longest_tokens())});
  }
  return absl::StrCat(Lines({{"data set", dataset.name()},
                             {"content", dataset.content_sha256()},
                             {"origin", dataset.origin()},
                             {"stored", absl::StrCat(dataset.stored_bytes(), " bytes")}}),
                      "\n", table.Render(), "\n", ClassTable(dataset));
}

std::string JobTable(const std::vector<v1::JobInfo>& jobs) {
  Table table({{"KEY"}, {"STATE"}, {"STARTS", kRight}, {"JOB"}});
  for (const v1::JobInfo& job : jobs) {
    table.AddRow({FirstDigits(job.key()), job.state(), absl::StrCat(job.starts()), job.description()});
  }
  return table.Render();
}

std::string JobReport(const v1::JobInfo& job) {
  const std::string failure =
      job.has_failure() ? absl::StrCat(job.failure().kind(), ": ", job.failure().reason()) : std::string();
  return absl::StrCat(Lines({{"job", job.description()},
                             {"key", job.key()},
                             {"state", job.state()},
                             {"starts", absl::StrCat(job.starts())},
                             {"waits for", job.waits_for()},
                             {"failure", failure},
                             {"epochs", Epochs(job.result().train())},
                             {"worker", job.result().provenance().worker()},
                             {"device", job.result().provenance().device_kind()},
                             {"peak memory", Mebibytes(job.result().provenance().peak_memory_bytes())}}),
                      MetricsTable(job.result().train()), TimeTable(job.result().provenance()));
}

std::string WorkerTable(const std::vector<v1::WorkerInfo>& workers) {
  if (workers.empty()) return "no workers; `roar run FILE` starts one here, `roar-worker --access FILE` elsewhere\n";
  Table table({{"NAME"}, {"SLOTS", kRight}, {"RUNNING", kRight}, {"DEVICE"}, {"VERSION"}, {"SEEN"}, {"DRAINING"}});
  for (const v1::WorkerInfo& worker : workers) {
    table.AddRow({worker.name(), absl::StrCat(worker.slots()), absl::StrCat(worker.running_jobs()),
                  worker.device_kind(), worker.software_version(),
                  absl::StrCat(Duration(static_cast<double>(worker.seconds_since_seen())), " ago"),
                  worker.draining() ? "yes" : "no"});
  }
  return table.Render();
}

std::string ServerReport(const v1::GetServerInfoResponse& info) {
  return Lines({{"version", info.version()},
                {"address", info.address()},
                {"http", info.http_address()},
                {"access file", info.access_file()},
                {"state folder", info.state_folder()},
                {"process", absl::StrCat(info.process_id())},
                {"running for", Duration(static_cast<double>(info.uptime_seconds()))}});
}

}  // namespace roar::output
