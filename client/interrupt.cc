#include "client/interrupt.h"

#include <csignal>

namespace roar {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void NoteInterrupt(int) { interrupted = 1; }

void Handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(SIGINT, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = 0;
  Handle(NoteInterrupt);
}

InterruptGuard::~InterruptGuard() { Handle(SIG_DFL); }

bool InterruptGuard::WasInterrupted() const { return interrupted != 0; }

}  // namespace roar
