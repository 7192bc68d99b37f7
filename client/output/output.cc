#include "client/output/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "client/output/table.h"

namespace roar::output {
namespace {

// Gives up quietly when the descriptor is closed: there is nobody left to tell.
void WriteAll(int file_descriptor, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file_descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace

void OpenMissingStandardStreams() {
  int descriptor = 0;
  do {
    descriptor = open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

void Output::Print(const std::string& text) const { WriteAll(STDOUT_FILENO, text); }

void Output::Note(const std::string& line) const { WriteAll(STDERR_FILENO, absl::StrCat(Printable(line), "\n")); }

void Output::Error(const std::string& line) const { Note(absl::StrCat("roar: ", line)); }

}  // namespace roar::output
