#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "proto/roar/v1/worker_service.pb.h"

// The part of the agent that decides: which jobs the slots hold, under which leases, and what is still to be reported.
// It knows no clock, process or network; time is a parameter.

namespace roar::agent {

// A moment on the worker's steady clock, as time since an arbitrary start.
using Instant = absl::Duration;

struct StartJob {
  int slot = 0;
  v1::DesiredJob job;
};
struct StopJob {
  int slot = 0;
  std::string reason;
};
// What is to be done now, stops first. The slots' jobs are considered started and stopping from here on.
struct Actions {
  std::vector<StopJob> stop;
  std::vector<StartJob> start;
};

// Thread-compatible. A slot is free, runs a job, or is stopping one: then its job is forgotten already, and OnEnded
// makes it free.
class AgentState {
 public:
  explicit AgentState(int slots) : slots_(static_cast<std::size_t>(slots)) {}

  // Adds to a call what runs and what has finished, at most 64 results, never reported ones first. `progress` is by
  // slot: phase, progress and memory. Only what is reported here can be acknowledged by the response.
  void Report(const std::vector<v1::RunningJob>& progress, v1::SynchronizeRequest& request);

  // Takes the response to the last Report, of a call sent at `sent`: renews the leases of what is desired from then on,
  // forgets what is acknowledged, stops what is not desired, and starts what is, as far as slots are free. A job that
  // runs and is desired under another lease epoch is the same work: it goes on under that one. A job whose result has
  // not been acknowledged is not started again under the same epoch.
  Actions OnResponse(const v1::SynchronizeResponse& response, Instant sent);

  // Self-fencing: stops jobs whose lease has ended.
  Actions StopExpired(Instant now);

  // Gives back all that runs, as preempted, and starts nothing from now on.
  Actions Drain(const std::string& reason);

  // The slot is free again. `finished` has a key and an outcome; null when the job was stopped.
  void OnEnded(int slot, const v1::FinishedJob* finished);

  // The first end of a lease; infinite when nothing runs.
  Instant NextLeaseEnd() const;
  bool HasFreeSlot() const;
  bool AllFree() const;
  // Something finished and no call has said so.
  bool HasUnreported() const;

 private:
  struct Slot {
    enum class Kind { kFree, kRunning, kStopping };
    Kind kind = Kind::kFree;
    std::string key;
    std::int64_t lease_epoch = 0;
    Instant lease_ends;
  };
  struct Finished {
    v1::FinishedJob job;
    bool reported = false;
    // In the call whose response is awaited.
    bool in_last_report = false;
  };

  void StopSlot(std::size_t index, const std::string& reason, Actions& actions);
  bool IsFinished(const v1::DesiredJob& job) const;
  Slot* RunningSlot(const std::string& key);
  void StartIfPossible(const v1::DesiredJob& job, Instant lease_ends, Actions& actions);

  std::vector<Slot> slots_;
  std::deque<Finished> finished_;
  bool draining_ = false;
};

}  // namespace roar::agent
