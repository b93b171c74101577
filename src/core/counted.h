// Numbers of things in sentences.
#pragma once

#include <concepts>
#include <string>

namespace sotto {

// "run" or "runs", behind a number: `one` for exactly one, and `more`, which is `one` with an s
// unless it is given.
template <std::integral Count>
std::string noun_for(Count count, const std::string& one, const std::string& more = "") {
  return count == 1 ? one : more.empty() ? one + "s" : more;
}

// "1 run", "2 runs", "0 queries".
template <std::integral Count>
std::string counted(Count count, const std::string& one, const std::string& more = "") {
  return std::to_string(count) + " " + noun_for(count, one, more);
}

}  // namespace sotto
