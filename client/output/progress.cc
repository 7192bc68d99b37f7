#include "client/output/progress.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/output/format.h"
#include "client/output/table.h"

namespace roar::output {
namespace {

constexpr int kWidestBar = 40;
constexpr int kNarrowestBar = 6;
constexpr int kMostRunningLines = 4;
constexpr char kGreen[] = "\033[32m";
constexpr char kPlain[] = "\033[0m";

std::string Fit(const std::string& text, int columns) {
  const std::string printable = Printable(text);
  if (static_cast<int>(printable.size()) <= columns) return printable;
  return absl::StrCat(printable.substr(0, static_cast<std::size_t>(std::max(0, columns - 2))), "..")
      .substr(0, static_cast<std::size_t>(columns));
}

struct Share {
  std::int64_t done = 0;
  std::int64_t total = 0;
};

// "[####----]" of `columns` characters; colour adds bytes that take no room.
std::string Bar(const Share& share, int columns, bool has_color) {
  const int inside = columns - 2;
  const double fraction = share.total > 0 ? static_cast<double>(share.done) / static_cast<double>(share.total) : 0;
  const int filled = std::clamp(static_cast<int>(fraction * inside), 0, inside);
  const std::string done(static_cast<std::size_t>(filled), '#');
  const std::string left(static_cast<std::size_t>(inside - filled), '-');
  if (!has_color) return absl::StrCat("[", done, left, "]");
  return absl::StrCat("[", kGreen, done, kPlain, left, "]");
}

// "label  [###---]  3/8", the label in a column of its own; without a bar where there is no room for one.
std::string BarLine(const std::string& label, int label_columns, const Share& share, const TerminalTraits& terminal) {
  const std::string count = absl::StrCat(share.done, "/", share.total);
  std::string padded = Fit(label, label_columns);
  padded.resize(static_cast<std::size_t>(label_columns), ' ');
  const int room = terminal.columns - label_columns - static_cast<int>(count.size()) - 2;
  if (room < kNarrowestBar) return Fit(absl::StrCat(padded, " ", count), terminal.columns);
  return absl::StrCat(padded, " ", Bar(share, std::min(room, kWidestBar), terminal.has_color), " ", count);
}

std::string CellLabel(const v1::CellProgress& cell) {
  return absl::StrCat(cell.dataset(), " ", cell.strategy(), " ", cell.measure());
}

std::string Remaining(const v1::SweepInfo& sweep) {
  if (sweep.state() != v1::SWEEP_STATE_RUNNING) return SweepStateName(sweep.state());
  if (sweep.eta_seconds() < 0) return "time left unknown";
  return absl::StrCat("about ", Duration(sweep.eta_seconds()), " left");
}

std::string Failed(const v1::JobCounts& jobs) {
  std::string text;
  if (jobs.failed() > 0) absl::StrAppend(&text, ", ", jobs.failed(), " failed");
  if (jobs.aborted() > 0) absl::StrAppend(&text, ", ", jobs.aborted(), " aborted");
  return text;
}

std::string RunningLine(const v1::RunningJobInfo& job) {
  return absl::StrCat("  ", job.description(), ": ", job.phase(), " ", static_cast<int>(100 * job.progress()), " %");
}

}  // namespace

std::vector<std::string> ProgressBlock(const v1::SweepInfo& sweep, const TerminalTraits& terminal,
                                       const std::string& without_worker) {
  const v1::JobCounts& jobs = sweep.jobs();
  std::size_t longest = 5;
  for (const v1::CellProgress& cell : sweep.cells()) longest = std::max(longest, CellLabel(cell).size());
  const int label_columns = std::min(static_cast<int>(longest), terminal.columns / 2);
  const int running_lines = std::min(sweep.running_size(), kMostRunningLines);
  const bool tells_why = LacksWorker(sweep) && !without_worker.empty();
  const int room_for_cells = std::max(1, terminal.rows - running_lines - (tells_why ? 6 : 5));

  std::vector<std::string> lines;
  lines.push_back(Fit(absl::StrCat("sweep ", sweep.id(), " ", sweep.name(), ": ", Remaining(sweep)), terminal.columns));
  for (int i = 0; i < std::min(sweep.cells_size(), room_for_cells); ++i) {
    const v1::CellProgress& cell = sweep.cells(i);
    lines.push_back(BarLine(CellLabel(cell), label_columns, {cell.points_done(), cell.points_total()}, terminal));
  }
  if (sweep.cells_size() > room_for_cells) {
    lines.push_back(Fit(absl::StrCat("and ", sweep.cells_size() - room_for_cells, " more"), terminal.columns));
  }
  lines.push_back(BarLine("total", label_columns, {JobsDone(jobs), JobsTotal(jobs)}, terminal));
  lines.push_back(Fit(absl::StrCat(jobs.running() + jobs.leased(), " running, ", jobs.ready(), " ready, ",
                                   jobs.pending(), " waiting", Failed(jobs)),
                      terminal.columns));
  if (tells_why) lines.push_back(Fit(without_worker, terminal.columns));
  for (int i = 0; i < running_lines; ++i) lines.push_back(Fit(RunningLine(sweep.running(i)), terminal.columns));
  return lines;
}

std::string ProgressLine(const v1::SweepInfo& sweep) {
  const v1::JobCounts& jobs = sweep.jobs();
  return Printable(absl::StrCat("sweep ", sweep.id(), " ", sweep.name(), ": ", JobsDone(jobs), "/", JobsTotal(jobs),
                                " jobs done, ", jobs.running() + jobs.leased(), " running", Failed(jobs), ", ",
                                Remaining(sweep)));
}

std::string ProgressDisplay::Update(const v1::SweepInfo& sweep) {
  return terminal_.is_terminal ? Redraw(ProgressBlock(sweep, terminal_, without_worker_)) : NextLines(sweep);
}

std::string ProgressDisplay::NextLines(const v1::SweepInfo& sweep) {
  const v1::JobCounts& jobs = sweep.jobs();
  std::string text;
  std::string counts = absl::StrCat(JobsDone(jobs), "/", JobsTotal(jobs), Failed(jobs), " ", sweep.state());
  if (std::exchange(last_counts_, counts) != counts) absl::StrAppend(&text, ProgressLine(sweep), "\n");
  const bool lacked_worker = std::exchange(lacked_worker_, LacksWorker(sweep));
  if (lacked_worker_ && !lacked_worker && !without_worker_.empty()) absl::StrAppend(&text, without_worker_, "\n");
  return text;
}

std::string ProgressDisplay::Redraw(const std::vector<std::string>& lines) {
  std::string text;
  if (drawn_lines_ > 0) absl::StrAppend(&text, "\033[", drawn_lines_, "A\r\033[J");
  for (const std::string& line : lines) absl::StrAppend(&text, line, "\n");
  drawn_lines_ = lines.size();
  return text;
}

}  // namespace roar::output
