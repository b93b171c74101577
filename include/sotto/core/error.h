// Errors: what the caller did wrong, and what has no valid analysis.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace sotto {

// The caller's fault: a value outside its range. The message names the value and what is accepted.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// A combination for which no valid privacy analysis is known here. It is refused by name, because
// an ε without a proof is worse than none.
class NoValidAnalysis : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

namespace detail {

template <typename... Parts>
std::string join_message(const Parts&... parts) {
  std::ostringstream text;
  text.precision(17);
  (text << ... << parts);
  return text.str();
}

}  // namespace detail

// Throws InvalidArgument with the joined parts unless `condition` holds.
template <typename... Parts>
void check_argument(bool condition, const Parts&... parts) {
  if (!condition) throw InvalidArgument(detail::join_message(parts...));
}

}  // namespace sotto
