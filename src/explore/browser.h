// The user's browser.
#pragma once

#include <string>

namespace sotto::explore {

// Asks xdg-open to show this address and does not wait. False if it cannot be started.
bool open_in_browser(const std::string& url);

}  // namespace sotto::explore
