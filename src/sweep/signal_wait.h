// Waiting for children and for the wish to stop, without handlers.
#pragma once

#include <csignal>

namespace sotto::sweep {

// While it lives, SIGCHLD, SIGINT, SIGTERM and SIGHUP are blocked in this thread, and wait() takes
// them.
class SignalWait {
 public:
  SignalWait() {
    sigemptyset(&awaited_);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&awaited_, signal);
    std::signal(SIGCHLD,
                SIG_DFL);  // whoever started us may have it ignored: no child could be awaited
    sigprocmask(SIG_BLOCK, &awaited_, &before_);
  }
  ~SignalWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  // Returns after a signal, or after a second. True if it was the wish to stop.
  bool wait() {
    const timespec second{1, 0};
    const int signal = sigtimedwait(&awaited_, nullptr, &second);
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
  }

 private:
  sigset_t awaited_{};
  sigset_t before_{};
};

}  // namespace sotto::sweep
