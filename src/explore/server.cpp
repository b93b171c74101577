#include "explore/server.h"

#include <httplib.h>

#include <csignal>
#include <string>
#include <thread>

#include "explore/request_guard.h"

namespace sotto::explore {

namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr int kForbidden = 403;
constexpr int kMethodNotAllowed = 405;

// The library's own options would let a second server take the same port.
void reuse_only_closed_ports(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

std::vector<std::string> all_values(const httplib::Request& request, const char* header) {
  std::vector<std::string> values;
  const auto [first, last] = request.headers.equal_range(header);
  for (auto entry = first; entry != last; ++entry) values.push_back(entry->second);
  return values;
}

Reply reply_to(const httplib::Request& request, const Site& site, const RequestGuard& guard) {
  const bool followed_link = request.get_header_value("Sec-Fetch-Mode") == "navigate";
  const Sender sender{
      all_values(request, "Host"), all_values(request, "Origin"),
      followed_link ? std::vector<std::string>() : all_values(request, "Sec-Fetch-Site")};
  if (!guard.admits(sender)) {
    return error_reply(kForbidden, "only pages of this server may ask it");
  }
  if (request.method != "GET") return error_reply(kMethodNotAllowed, "only GET is answered");
  return site.get(request.path, Parameters(request.params.begin(), request.params.end()));
}

// As a content provider, because the library would compress a plain body, which takes longer than
// the answer itself and gains nothing within one machine.
void send(Reply reply, httplib::Response& response) {
  response.status = reply.status;
  response.set_header("Content-Security-Policy", std::string(reply.policy));
  const auto body = std::make_shared<std::string>(std::move(reply.body));
  response.set_content_provider(body->size(), reply.type,
                                [body](std::size_t offset, std::size_t length, auto& sink) {
                                  return sink.write(body->data() + offset, length);
                                });
}

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

class Server::Impl {
 public:
  explicit Impl(Site site) : site_(std::move(site)) {
    http_.set_socket_options(reuse_only_closed_ports);
    http_.set_tcp_nodelay(true);
    http_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                               {"Cache-Control", "no-store"},
                               {"Referrer-Policy", "no-referrer"},
                               {"Cross-Origin-Resource-Policy", "same-origin"}});
    // One request a connection: nothing left over in one can be taken for the next, and no idle
    // browser holds a thread.
    http_.set_keep_alive_max_count(1);
    http_.set_keep_alive_timeout(1);
    http_.set_read_timeout(1);
    http_.set_write_timeout(5);
    http_.set_payload_max_length(0);
    http_.new_task_queue = [] { return new httplib::ThreadPool(16); };
  }

  int bind(int port) {
    if (port == 0) return http_.bind_to_any_port(kLoopback);
    return http_.bind_to_port(kLoopback, port) ? port : -1;
  }

  void answer_on(int port) {
    guard_ = std::make_unique<RequestGuard>(port);
    // Everything is answered here, before the library looks for a handler of its own.
    http_.set_pre_routing_handler([this](const httplib::Request& request, auto& response) {
      send(reply_to(request, site_, *guard_), response);
      return httplib::Server::HandlerResponse::Handled;
    });
  }

  void run_until_signalled(const std::function<void()>& when_ready) {
    std::thread listener([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::yield();
    when_ready();
    const sigset_t signals = ending_signals();
    int received = 0;
    sigwait(&signals, &received);
    http_.stop();
    listener.join();
  }

 private:
  Site site_;
  std::unique_ptr<RequestGuard> guard_;
  httplib::Server http_;
};

Server::Server(Site site, int port) : impl_(std::make_unique<Impl>(std::move(site))) {
  port_ = impl_->bind(port);
  if (port_ <= 0) {
    throw PortError("port " + std::to_string(port) + " of 127.0.0.1 cannot be used: it is taken");
  }
  impl_->answer_on(port_);
}

Server::~Server() = default;

void Server::run_until_signalled(const std::function<void()>& when_ready) {
  impl_->run_until_signalled(when_ready);
}

}  // namespace sotto::explore
