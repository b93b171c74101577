// Who may ask. A page in the same browser can send requests to any address, also by a name of its
// own that leads here (DNS rebinding); what tells it from ours is the Host and the Origin it has to
// name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::explore {

// The headers of a request that say where it comes from, each as often as it was sent.
struct Sender {
  std::vector<std::string> hosts;
  std::vector<std::string> origins;
  // Sec-Fetch-Site, unless a person followed a link (Sec-Fetch-Mode: navigate).
  std::vector<std::string> sites = {};
};

class RequestGuard {
 public:
  // For a server on this port of the loopback address.
  explicit RequestGuard(int port);

  // Exactly one Host, which is localhost, 127.0.0.1 or [::1] with the port (which may be left out
  // if it is 80), and no Origin but http:// and one of those. Browsers also say where
  // a request without Origin was made (an image, say): by our pages or by nobody's.
  bool admits(const Sender& sender) const;

 private:
  bool is_own(std::string_view authority) const;

  std::vector<std::string> own_;
};

}  // namespace sotto::explore
