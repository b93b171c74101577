// What the server answers.
#pragma once

#include <string>
#include <string_view>

namespace sotto::explore {

// What a page of ours may load: only from here, and no script or style within the text of a page.
inline constexpr std::string_view kOwnPagePolicy =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// What a file out of a run may do: look nice. Whoever wrote it, it runs no script and loads nothing
// but pictures from the runs.
inline constexpr std::string_view kRunFilePolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox "
    "allow-same-origin";

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string_view policy = kOwnPagePolicy;  // the Content-Security-Policy
};

// {"error": message}
Reply error_reply(int status, const std::string& message);

}  // namespace sotto::explore
