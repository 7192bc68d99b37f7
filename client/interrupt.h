#pragma once

namespace roar {

// While one lives, Ctrl-C does not end the program but is noted. At most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool WasInterrupted() const;
};

}  // namespace roar
