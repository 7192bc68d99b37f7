#include "worker/agent/wakeup.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <system_error>

namespace roar::agent {

Wakeup::Wakeup() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Wakeup::~Wakeup() { close(fd_); }

// Neither write nor read can fail but for a full counter or an empty one, which both mean that there is nothing to do.
void Wakeup::Notify() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(fd_, &one, sizeof one);
}

void Wakeup::Clear() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t read_bytes = read(fd_, &count, sizeof count);
}

void WaitReadable(int fd, int other_fd, absl::Duration longest) {
  pollfd fds[] = {{.fd = fd, .events = POLLIN, .revents = 0}, {.fd = other_fd, .events = POLLIN, .revents = 0}};
  // Rounded up, or the last millisecond would be a busy loop.
  const absl::Duration bounded = std::clamp(longest, absl::ZeroDuration(), absl::Hours(1));
  poll(fds, 2, static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(bounded, absl::Milliseconds(1)))));
}

bool IsReadable(int fd) {
  pollfd one = {.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&one, 1, 0) > 0;
}

absl::Duration SteadyNow() { return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch()); }

}  // namespace roar::agent
