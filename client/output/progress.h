#pragma once

#include <string>
#include <utility>
#include <vector>

#include "client/output/terminal.h"
#include "proto/roar/v1/sweep_service.pb.h"

namespace roar::output {

// The block that a terminal shows of a sweep: a bar per cell, what runs, and the whole with the time left; while no
// worker is connected, `without_worker` unless it is empty. No line is wider than the terminal, nor are there more
// lines than it has rows.
std::vector<std::string> ProgressBlock(const v1::SweepInfo& sweep, const TerminalTraits& terminal,
                                       const std::string& without_worker);

// The same in one line of plain text, for logs.
std::string ProgressLine(const v1::SweepInfo& sweep);

// Turns a stream of states into text to write: on a terminal a block that is drawn over the one before, elsewhere a
// line whenever the number of finished jobs has changed, and `without_worker` when there is no worker any more, or yet.
// Writes nothing itself.
class ProgressDisplay {
 public:
  ProgressDisplay(const TerminalTraits& terminal, std::string without_worker)
      : terminal_(terminal), without_worker_(std::move(without_worker)) {}

  // The text to write now; empty when there is nothing new to say.
  std::string Update(const v1::SweepInfo& sweep);

 private:
  std::string Redraw(const std::vector<std::string>& lines);

  std::string NextLines(const v1::SweepInfo& sweep);

  TerminalTraits terminal_;
  std::string without_worker_;
  bool lacked_worker_ = false;
  std::size_t drawn_lines_ = 0;
  std::string last_counts_;
};

}  // namespace roar::output
