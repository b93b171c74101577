// The real program as a server, for as long as the test wants it.
#pragma once

#include <filesystem>
#include <string>

namespace sotto::explore {

class RunningExplorer {
 public:
  // `sotto explore --port 0 --no-open --json --runs ...`; returns when it has said that it listens.
  explicit RunningExplorer(const std::filesystem::path& runs);
  // Ends it the hard way if that is still to be done.
  ~RunningExplorer();
  RunningExplorer(const RunningExplorer&) = delete;
  RunningExplorer& operator=(const RunningExplorer&) = delete;

  int port() const { return port_; }
  const std::string& first_line() const { return first_line_; }

  // Sends these bytes over a new connection and returns all that comes back.
  std::string exchange(const std::string& bytes) const;
  // A GET with the right Host, and these lines besides ("Origin: x\r\n").
  std::string get(const std::string& target, const std::string& more_headers = "") const;

  // Sends the signal and waits; the exit status, or -1 if a signal ended it.
  int end_by(int signal);

 private:
  int child_ = 0;
  int port_ = 0;
  std::string first_line_;
};

// The number in the first line of a reply, and what follows the empty line.
int status_of(const std::string& reply);
std::string body_of(const std::string& reply);

}  // namespace sotto::explore
