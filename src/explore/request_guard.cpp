#include "explore/request_guard.h"

#include <algorithm>
#include <cctype>

namespace sotto::explore {

namespace {

constexpr int kPortOfHttp = 80;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

RequestGuard::RequestGuard(int port) {
  for (const std::string host : {"localhost", "127.0.0.1", "[::1]"}) {
    own_.push_back(host + ":" + std::to_string(port));
    if (port == kPortOfHttp) own_.push_back(host);
  }
}

bool RequestGuard::admits(const Sender& sender) const {
  if (sender.hosts.size() != 1 || !is_own(sender.hosts.front())) return false;
  const bool foreign =
      std::any_of(sender.sites.begin(), sender.sites.end(),
                  [](const std::string& site) { return site != "same-origin" && site != "none"; });
  if (foreign) return false;
  constexpr std::string_view kScheme = "http://";
  return std::all_of(sender.origins.begin(), sender.origins.end(), [&](std::string_view origin) {
    return origin.starts_with(kScheme) && is_own(origin.substr(kScheme.size()));
  });
}

bool RequestGuard::is_own(std::string_view authority) const {
  return std::find(own_.begin(), own_.end(), lower_case(authority)) != own_.end();
}

}  // namespace sotto::explore
