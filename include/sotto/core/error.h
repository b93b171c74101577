// Errors: what the caller did wrong, and what has no valid analysis.
#pragma once

#include <functional>
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

// Invalid settings are reported under the names that the caller uses.

// A setting in a message, by its key in a configuration: the_setting("max_grad_norm").
std::string the_setting(const std::string& key);

// The message with every the_setting() in it as `name_of` calls it; by its key without one.
std::string worded(const std::string& message,
                   const std::function<std::string(const std::string& key)>& name_of = {});

// Its message names settings, by the_setting(). A program whose users know flags says these
// instead.
class InvalidSetting : public InvalidArgument {
 public:
  using NameOf = std::function<std::string(const std::string& key)>;

  explicit InvalidSetting(const std::string& message);

  // The message with every setting as `name_of` calls it. what() has the keys themselves.
  std::string worded(const NameOf& name_of) const;

 private:
  std::string message_;
};

// Throws InvalidSetting with the joined parts unless `condition` holds.
template <typename... Parts>
void check_setting(bool condition, const Parts&... parts) {
  if (!condition) throw InvalidSetting(detail::join_message(parts...));
}

}  // namespace sotto
