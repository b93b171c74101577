// The site on a port of the loopback address.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include "explore/site.h"

namespace sotto::explore {

// The port is in use, or may not be used.
class PortError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Server {
 public:
  // Takes the port of 127.0.0.1 at once, any free one if it is 0. Throws PortError, naming it.
  Server(Site site, int port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return port_; }

  // Answers until this process gets SIGINT or SIGTERM, which the caller has blocked (so that
  // threads started here have them blocked too) and this waits for. `when_ready` runs once it
  // answers.
  void run_until_signalled(const std::function<void()>& when_ready);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  int port_;
};

}  // namespace sotto::explore
