#pragma once

#include "absl/time/time.h"

namespace roar::agent {

// Ends another thread's wait. A wake-up before the wait is not lost; several are one.
class Wakeup {
 public:
  Wakeup();
  ~Wakeup();
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  // From any thread.
  void Notify();

  // Readable after Notify() until Clear(): for poll().
  int fd() const { return fd_; }
  void Clear();

 private:
  int fd_;
};

// Waits until one of two descriptors is readable (or hung up), or the time is over; -1 for no second one. May return
// early. Any duration is taken, InfiniteDuration() too.
void WaitReadable(int fd, int other_fd, absl::Duration longest);
bool IsReadable(int fd);

// This machine's steady clock, since an arbitrary start.
absl::Duration SteadyNow();

}  // namespace roar::agent
