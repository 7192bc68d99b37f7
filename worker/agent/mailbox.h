#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "worker/agent/wakeup.h"

namespace roar::agent {

// What other threads have to say to the one that waits on fd().
template <typename Event>
class Mailbox {
 public:
  // From any thread.
  void Post(Event event) {
    {
      std::lock_guard lock(mutex_);
      events_.push_back(std::move(event));
    }
    wakeup_.Notify();
  }

  // All events so far, in order.
  std::vector<Event> Take() {
    wakeup_.Clear();
    std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }

  int fd() const { return wakeup_.fd(); }

 private:
  std::mutex mutex_;
  std::vector<Event> events_;
  Wakeup wakeup_;
};

}  // namespace roar::agent
