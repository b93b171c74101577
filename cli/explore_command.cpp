#include <pthread.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/flags.h"
#include "explore/browser.h"
#include "explore/server.h"

namespace sotto::cli {

namespace {

constexpr int kDefaultPort = 8791;

constexpr const char* kExamples = R"(
Examples:
  sotto explore
  sotto explore --runs /data/runs --port 9000 --no-open
  sotto explore --port 0 --no-open --json

The page is served to this machine only, until Ctrl-C.
)";

int port_flag(const FlagText& text) {
  if (!text) return kDefaultPort;
  constexpr const char* kAccepted = "a port from 1 to 65535, or 0 for any that is free";
  const double port = number_flag("--port", *text, {0, true, 65535, true, kAccepted});
  if (port != static_cast<int>(port)) {
    throw UsageError("--port '" + *text + "': expected " + kAccepted);
  }
  return static_cast<int>(port);
}

// A folder that was named must be there; the usual one may come later.
std::filesystem::path runs_flag(const FlagText& text) {
  if (!text) return "runs";
  return folder_flag("--runs", *text);
}

// Before any thread starts, so that the one that waits for them gets them.
void block_ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

struct ExploreRequest {
  int port;
  std::filesystem::path runs;
  bool open;
  bool json;
};

void serve(const ExploreRequest& request) {
  block_ending_signals();
  explore::Server server(explore::Site(explore::RunsFolder(request.runs)), request.port);
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/";
  server.run_until_signalled([&] {
    if (request.json) {
      std::cout << nlohmann::ordered_json{{"url", url}, {"port", server.port()}} << std::endl;
    } else {
      std::cout << "Explorer at " << url << "  (Ctrl-C ends it)" << std::endl;
    }
    if (request.open && !explore::open_in_browser(url)) {
      std::cerr << "xdg-open cannot be started: open the address yourself\n";
    }
  });
}

}  // namespace

int explore_command(const Arguments& arguments) {
  FlagSet app("A page in the browser: what private training costs, and what past runs achieved.",
              "sotto explore");
  FlagText port;
  FlagText runs;
  bool no_open = false;
  bool json = false;
  app.add_option("--port N", port, "port on 127.0.0.1 (default 8791; 0: any free port)");
  app.add_option("--runs DIR", runs, "folder of past runs (default runs)");
  app.add_flag("--no-open", no_open, "do not open the browser");
  app.add_flag("--json", json, "print one JSON object, with url and port");
  app.footer(kExamples);
  if (!app.parse(arguments)) return 0;
  const ExploreRequest request{port_flag(port), runs_flag(runs), !no_open, json};
  try {
    serve(request);
  } catch (const explore::PortError& error) {
    throw UsageError("--port: " + std::string(error.what()) + "; expected a free one, or 0");
  }
  return 0;
}

}  // namespace sotto::cli
