// Invalid settings, reported under the names that the caller uses.
#pragma once

#include <functional>
#include <string>

#include "sotto/core/error.h"

namespace sotto {

// A setting in a message, by its key in a configuration: the_setting("max_grad_norm").
std::string the_setting(const std::string& key);

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
